package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// exporter sends spans as OTLP over HTTP in JSON. OpenTelemetry's own exporter for HTTP brings all of gRPC along, half
// again the size of this program.
type exporter struct {
	url    string
	header http.Header
	log    *slog.Logger
	client http.Client
}

// exporterFromEnv is the exporter that OpenTelemetry's variables ask for; nil if they ask for none.
func exporterFromEnv(log *slog.Logger) (*exporter, error) {
	address := os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
	if base := os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT"); address == "" && base != "" {
		address = strings.TrimSuffix(base, "/") + "/v1/traces"
	}
	if address == "" {
		return nil, nil
	}
	if u, err := url.Parse(address); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: give an address like http://127.0.0.1:4318, not %q", address)
	}
	e := &exporter{url: address, header: http.Header{}, log: log, client: http.Client{Timeout: exportTime}}
	for pair := range strings.SplitSeq(os.Getenv("OTEL_EXPORTER_OTLP_HEADERS"), ",") {
		name, value, found := strings.Cut(pair, "=")
		if value, err := url.PathUnescape(strings.TrimSpace(value)); found && err == nil {
			e.header.Set(strings.TrimSpace(name), value)
		}
	}
	e.header.Set("Content-Type", "application/json")
	return e, nil
}

// ExportSpans implements sdktrace.SpanExporter. What can't be sent is dropped: its error is for the log, and none goes to
// the library, which would print it by itself.
func (e *exporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	if err := e.send(ctx, spans); err != nil {
		e.log.Warn("traces could not be sent", "spans", len(spans), "error", err)
	}
	return nil
}

// Shutdown implements sdktrace.SpanExporter.
func (e *exporter) Shutdown(context.Context) error {
	e.client.CloseIdleConnections()
	return nil
}

func (e *exporter) send(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	body, err := json.Marshal(otlpRequest(spans))
	if err != nil {
		return fmt.Errorf("encode spans: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header = e.header
	resp, err := e.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20)) // Read to its end, the connection is used again.
	if resp.StatusCode >= 300 {
		return fmt.Errorf("the collector answers %s", resp.Status)
	}
	return nil
}

// The message ExportTraceServiceRequest in the JSON form of OTLP: IDs in hex, times as decimal text.
type (
	otlpTraces struct {
		ResourceSpans []otlpResource `json:"resourceSpans"`
	}
	otlpResource struct {
		Resource struct {
			Attributes []otlpAttribute `json:"attributes"`
		} `json:"resource"`
		ScopeSpans []otlpScope `json:"scopeSpans"`
	}
	otlpScope struct {
		Scope struct {
			Name string `json:"name"`
		} `json:"scope"`
		Spans []otlpSpan `json:"spans"`
	}
	otlpSpan struct {
		TraceID    string          `json:"traceId"`
		SpanID     string          `json:"spanId"`
		ParentID   string          `json:"parentSpanId,omitempty"`
		Name       string          `json:"name"`
		Kind       int             `json:"kind"`
		Start      string          `json:"startTimeUnixNano"`
		End        string          `json:"endTimeUnixNano"`
		Attributes []otlpAttribute `json:"attributes,omitempty"`
		Status     otlpStatus      `json:"status"`
	}
	otlpStatus struct {
		Code int `json:"code,omitempty"`
	}
	otlpAttribute struct {
		Key   string    `json:"key"`
		Value otlpValue `json:"value"`
	}
	otlpValue struct {
		Text *string `json:"stringValue,omitempty"`
		Int  *string `json:"intValue,omitempty"`
	}
)

// otlpError is the code of a status that is an error.
const otlpError = 2

// otlpRequest is the request that delivers spans of one provider.
func otlpRequest(spans []sdktrace.ReadOnlySpan) otlpTraces {
	var r otlpResource
	var scope otlpScope
	scope.Scope.Name = "zevaka"
	for _, s := range spans {
		r.Resource.Attributes = otlpAttributes(s.Resource().Attributes())
		span := otlpSpan{
			TraceID: s.SpanContext().TraceID().String(), SpanID: s.SpanContext().SpanID().String(),
			Name: s.Name(), Kind: int(s.SpanKind()), Start: nanoseconds(s.StartTime()), End: nanoseconds(s.EndTime()),
			Attributes: otlpAttributes(s.Attributes()),
		}
		if s.Parent().IsValid() {
			span.ParentID = s.Parent().SpanID().String()
		}
		if s.SpanKind() == trace.SpanKindUnspecified {
			span.Kind = int(trace.SpanKindInternal)
		}
		if s.Status().Code == codes.Error {
			span.Status.Code = otlpError
		}
		scope.Spans = append(scope.Spans, span)
	}
	r.ScopeSpans = []otlpScope{scope}
	return otlpTraces{[]otlpResource{r}}
}

func nanoseconds(t time.Time) string { return strconv.FormatInt(t.UnixNano(), 10) }

func otlpAttributes(all []attribute.KeyValue) []otlpAttribute {
	var attributes []otlpAttribute
	for _, kv := range all {
		text := kv.Value.String()
		a := otlpAttribute{Key: string(kv.Key)}
		if kv.Value.Type() == attribute.INT64 {
			a.Value.Int = &text
		} else {
			a.Value.Text = &text
		}
		attributes = append(attributes, a)
	}
	return attributes
}
