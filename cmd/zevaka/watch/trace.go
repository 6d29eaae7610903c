package watch

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"os"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"zevaka/bot/chat"
)

// Traces follow requests: a span for each request, and under it one for each call to a platform that is made for it. All
// methods may be called on nil, which follows none.
type Traces struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	ids      requestIDs
}

// NewTraces are the traces that the variables OTEL_… of OpenTelemetry ask for, or nil if they name no endpoint of a
// collector, or switch traces off. They go there as OTLP, over HTTP or as OTEL_EXPORTER_OTLP_PROTOCOL says over gRPC.
// OTEL_TRACES_SAMPLER_ARG is how much of all requests is followed, from 0 to 1. What can't be sent is dropped, and log is
// told; so it is of all that OpenTelemetry has to say in this process.
func NewTraces(version string, log *slog.Logger) (*Traces, error) {
	to, err := exporter()
	if err != nil || to == nil {
		return nil, err
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("traces could not be sent", "error", err) }))
	share := 1.0
	if text := os.Getenv("OTEL_TRACES_SAMPLER_ARG"); text != "" {
		if share, err = strconv.ParseFloat(text, 64); err != nil || !(share >= 0 && share <= 1) {
			return nil, fmt.Errorf("OTEL_TRACES_SAMPLER_ARG: give a number from 0 to 1, not %q", text)
		}
	}
	who, err := resource.New(context.Background(),
		resource.WithAttributes(attribute.String("service.name", "zevaka"), attribute.String("service.version", version)),
		resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("read OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	t := &Traces{}
	t.provider = sdktrace.NewTracerProvider(sdktrace.WithBatcher(to), sdktrace.WithResource(who), sdktrace.WithIDGenerator(t.ids),
		sdktrace.WithSampler(sdktrace.TraceIDRatioBased(share)))
	t.tracer = t.provider.Tracer("zevaka")
	return t, nil
}

// exporter is the one that the variables ask for, which reads most of them itself; nil if they ask for none.
func exporter() (sdktrace.SpanExporter, error) {
	endpoint := otlpVariable("ENDPOINT")
	if endpoint == "" || os.Getenv("OTEL_TRACES_EXPORTER") == "none" || strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") {
		return nil, nil
	}
	if u, err := url.Parse(endpoint); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_ENDPOINT: give an address like http://127.0.0.1:4318, not %q", endpoint)
	}
	switch protocol := otlpVariable("PROTOCOL"); protocol {
	case "", "http/protobuf":
		return otlptracehttp.New(context.Background())
	case "grpc":
		return otlptracegrpc.New(context.Background())
	default:
		return nil, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL: give http/protobuf or grpc, not %q", protocol)
	}
}

// otlpVariable is a variable for traces, or else the one for all that is sent; "" if there is neither.
func otlpVariable(name string) string {
	return cmp.Or(os.Getenv("OTEL_EXPORTER_OTLP_TRACES_"+name), os.Getenv("OTEL_EXPORTER_OTLP_"+name))
}

// Close sends what was not sent yet, until ctx ends.
func (t *Traces) Close(ctx context.Context) error {
	if t == nil {
		return nil
	}
	if err := t.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("send the last traces: %w", err)
	}
	return nil
}

// request begins the span of a request.
func (t *Traces) request(ctx context.Context, kind string, r chat.Request) (context.Context, func(outcome string)) {
	if t == nil {
		return ctx, func(string) {}
	}
	ctx, span := t.tracer.Start(ctx, kind, trace.WithNewRoot(), trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("zevaka.request", r.ID),
		attribute.String("zevaka.platform", r.In.Community.Platform.Name()),
		attribute.String("zevaka.community", r.In.Community.String())))
	return ctx, func(outcome string) {
		span.SetAttributes(attribute.String("zevaka.outcome", outcome))
		if outcome == chat.Broken.Name() {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// call begins the span of a call. It stands under the request that the call is made for, which may have ended long ago.
func (t *Traces) call(ctx context.Context, platform, method string) (context.Context, func(status int)) {
	if t == nil || chat.RequestOf(ctx) == "" {
		return ctx, func(int) {}
	}
	if !trace.SpanContextFromContext(ctx).IsValid() {
		id, span := t.ids.NewIDs(ctx)
		ctx = trace.ContextWithRemoteSpanContext(ctx, trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: span}))
	}
	ctx, span := t.tracer.Start(ctx, platform+" "+method, trace.WithSpanKind(trace.SpanKindClient))
	return ctx, func(status int) {
		span.SetAttributes(attribute.Int("http.response.status_code", status))
		if status < 200 || status > 399 {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// requestIDs make the IDs of a request's trace and span from its own, so that a call made for it later, wherever, finds
// them without being told.
type requestIDs struct{}

// NewIDs implements sdktrace.IDGenerator.
func (requestIDs) NewIDs(ctx context.Context) (id trace.TraceID, span trace.SpanID) {
	sum := sha256.Sum256([]byte(chat.RequestOf(ctx)))
	copy(id[:], sum[:])
	copy(span[:], sum[len(id):])
	return id, span
}

// NewSpanID implements sdktrace.IDGenerator.
func (requestIDs) NewSpanID(context.Context, trace.TraceID) (id trace.SpanID) {
	for i, n := 0, rand.Uint64()|1; i < len(id); i++ {
		id[i] = byte(n >> (8 * i))
	}
	return id
}
