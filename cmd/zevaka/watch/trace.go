package watch

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"strconv"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
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

// NewTraces are the traces that the variables OTEL_… of OpenTelemetry ask for, or nil if OTEL_EXPORTER_OTLP_ENDPOINT and
// OTEL_EXPORTER_OTLP_TRACES_ENDPOINT are empty. They go there as OTLP over HTTP in JSON. OTEL_TRACES_SAMPLER_ARG is how
// much of all requests is followed, from 0 to 1. What can't be sent is dropped, and log is told.
func NewTraces(version string, log *slog.Logger) (*Traces, error) {
	to, err := exporterFromEnv(log)
	if err != nil || to == nil {
		return nil, err
	}
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

// exportTime is how long sending some spans may take.
const exportTime = 10 * time.Second
