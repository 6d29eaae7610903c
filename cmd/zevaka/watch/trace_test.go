package watch

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	collectorpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"zevaka/bot/chat"
)

// collector takes traces as OpenTelemetry's does.
type collector struct {
	collectorpb.UnimplementedTraceServiceServer
	url    string
	status int

	mu    sync.Mutex
	spans []*tracepb.Span
	who   map[string]string
	heads metadata.MD
	path  string
}

// newCollector takes traces by HTTP, or over gRPC.
func newCollector(t *testing.T, over string) *collector {
	c := &collector{status: http.StatusOK}
	if over == "grpc" {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		server := grpc.NewServer()
		collectorpb.RegisterTraceServiceServer(server, c)
		var serving sync.WaitGroup
		serving.Go(func() { _ = server.Serve(listener) })
		t.Cleanup(func() {
			server.Stop()
			serving.Wait()
		})
		c.url = "http://" + listener.Addr().String()
		return c
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		var got collectorpb.ExportTraceServiceRequest
		body, err := io.ReadAll(req.Body)
		if err == nil {
			err = proto.Unmarshal(body, &got)
		}
		if err != nil {
			t.Errorf("%v: %s", err, body)
		}
		heads := metadata.MD{}
		for name, values := range req.Header {
			heads.Append(name, values...)
		}
		c.take(&got, heads, req.URL.Path)
		w.WriteHeader(c.status)
	}))
	t.Cleanup(server.Close)
	c.url = server.URL
	return c
}

// Export takes what comes over gRPC.
func (c *collector) Export(ctx context.Context, got *collectorpb.ExportTraceServiceRequest) (*collectorpb.ExportTraceServiceResponse, error) {
	heads, _ := metadata.FromIncomingContext(ctx)
	c.take(got, heads, "")
	return &collectorpb.ExportTraceServiceResponse{}, nil
}

func (c *collector) take(got *collectorpb.ExportTraceServiceRequest, heads metadata.MD, path string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heads, c.path, c.who = heads, path, map[string]string{}
	for _, r := range got.ResourceSpans {
		for _, a := range r.Resource.Attributes {
			c.who[a.Key] = a.Value.GetStringValue()
		}
		for _, s := range r.ScopeSpans {
			c.spans = append(c.spans, s.Spans...)
		}
	}
}

// press has a request handled that makes a call while it is handled, one later, and one that is for no request.
func press(t *testing.T, w *Watch, id string, o chat.Outcome) {
	ctx := chat.WithRequest(t.Context(), id)
	during, done := w.Request(ctx, chat.Request{ID: id, Kind: chat.Press, In: chat.Place{Community: chat.Community{Platform: chat.Discord, ID: 7}}})
	for _, ctx := range []context.Context{during, ctx, t.Context()} {
		_, called := w.Call(ctx, chat.Call{Platform: chat.Discord, Method: "answer"})
		called(http.StatusTooManyRequests)
	}
	done(o)
}

// TestTraces: a request and the calls that are made for it, then or later, are one trace, found by the request's ID.
func TestTraces(t *testing.T) {
	for _, over := range []string{"http/protobuf", "grpc"} {
		t.Run(over, func(t *testing.T) {
			c := newCollector(t, over)
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.url+"/")
			t.Setenv("OTEL_EXPORTER_OTLP_PROTOCOL", over)
			t.Setenv("OTEL_EXPORTER_OTLP_HEADERS", "Authorization=Bearer%20abc, X-Org = 7")
			t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test")
			traces, err := NewTraces("v1.2.3", New(Options{}).log)
			if err != nil {
				t.Fatal(err)
			}
			w := New(Options{Traces: traces})
			press(t, w, "discord/1", chat.Done)
			press(t, w, "discord/2", chat.Broken)
			if err := traces.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.check(t)
		})
	}
}

// check wants the spans of TestTraces.
func (c *collector) check(t *testing.T) {
	t.Helper()
	roots := map[string]*tracepb.Span{}
	for _, s := range c.spans {
		if len(s.ParentSpanId) == 0 {
			roots[string(s.SpanId)] = s
		}
	}
	if len(c.spans) != 6 || len(roots) != 2 {
		t.Fatalf("%d spans, %d of them roots: %+v", len(c.spans), len(roots), c.spans)
	}
	for _, s := range c.spans {
		failed := s.Status.GetCode() == tracepb.Status_STATUS_CODE_ERROR
		if root, under := roots[string(s.ParentSpanId)]; len(s.ParentSpanId) != 0 {
			if !under || string(root.TraceId) != string(s.TraceId) || s.Name != "discord answer" || s.Kind != tracepb.Span_SPAN_KIND_CLIENT || !failed {
				t.Errorf("%+v under %+v", s, root)
			}
			continue
		}
		broken := attributeOf(s, "zevaka.request") == "discord/2"
		if s.Name != "press" || s.Kind != tracepb.Span_SPAN_KIND_SERVER || failed != broken || (attributeOf(s, "zevaka.outcome") == "broken") != broken {
			t.Errorf("%+v", s)
		}
	}
	if strings.Join(c.heads.Get("Authorization"), "") != "Bearer abc" || strings.Join(c.heads.Get("X-Org"), "") != "7" {
		t.Errorf("with %v", c.heads)
	}
	if c.who["service.name"] != "zevaka" || c.who["service.version"] != "v1.2.3" || c.who["deployment.environment"] != "test" {
		t.Errorf("from %v", c.who)
	}
}

func attributeOf(s *tracepb.Span, key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.GetStringValue()
		}
	}
	return ""
}

// TestTracesSettings: traces are off unless there is where to send them, and what can't be meant is refused.
func TestTracesSettings(t *testing.T) {
	c := newCollector(t, "http/protobuf")
	for _, test := range []struct {
		name                    string
		endpoint, traces, share string
		set                     string
		wantErr                 string
		wantOff                 bool
		wantPath                string
		wantSpans               int
	}{
		{name: "off", wantOff: true},
		{name: "switched off", endpoint: c.url, set: "OTEL_SDK_DISABLED=true", wantOff: true},
		{name: "not switched off", endpoint: c.url, set: "OTEL_SDK_DISABLED=false", wantPath: "/v1/traces", wantSpans: 3},
		{name: "no exporter", endpoint: c.url, set: "OTEL_TRACES_EXPORTER=none", wantOff: true},
		{name: "no protocol", endpoint: c.url, set: "OTEL_EXPORTER_OTLP_PROTOCOL=http/json", wantErr: `give http/protobuf or grpc, not "http/json"`},
		{name: "an address of its own", traces: c.url + "/mine", wantPath: "/mine", wantSpans: 3},
		{name: "none followed", endpoint: c.url, share: "0"},
		{name: "all followed", endpoint: c.url, share: "1", wantPath: "/v1/traces", wantSpans: 3},
		{name: "more than all", endpoint: c.url, share: "2", wantErr: `OTEL_TRACES_SAMPLER_ARG: give a number from 0 to 1, not "2"`},
		{name: "no number", endpoint: c.url, share: "NaN", wantErr: "OTEL_TRACES_SAMPLER_ARG"},
		{name: "no address", endpoint: "localhost:4318", wantErr: "give an address like http://127.0.0.1:4318"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c.spans, c.path = nil, ""
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", test.endpoint)
			t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", test.traces)
			t.Setenv("OTEL_TRACES_SAMPLER_ARG", test.share)
			if name, value, found := strings.Cut(test.set, "="); found {
				t.Setenv(name, value)
			}
			traces, err := NewTraces("", New(Options{}).log)
			if test.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), test.wantErr) {
					t.Errorf("the error is %v", err)
				}
				return
			}
			if err != nil || (traces == nil) != test.wantOff {
				t.Fatalf("%v, %v", traces, err)
			}
			press(t, New(Options{Traces: traces}), "x", chat.Done)
			if err := traces.Close(t.Context()); err != nil {
				t.Error(err)
			}
			if c.path != test.wantPath || len(c.spans) != test.wantSpans {
				t.Errorf("%d spans at %q", len(c.spans), c.path)
			}
		})
	}
}

// TestTracesLost: a collector that refuses is told of in the log, and no more comes of it.
func TestTracesLost(t *testing.T) {
	c := newCollector(t, "http/protobuf")
	c.status = http.StatusTeapot
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.url)
	var log strings.Builder
	traces, err := NewTraces("", NewLog(&log, Logging{}))
	if err != nil {
		t.Fatal(err)
	}
	press(t, New(Options{Traces: traces}), "x", chat.Done)
	if err := traces.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if !strings.Contains(log.String(), "level=WARN") || !strings.Contains(log.String(), "418 I'm a teapot") {
		t.Errorf("the log says %s", &log)
	}
}
