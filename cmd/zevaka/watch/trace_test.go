package watch

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"zevaka/bot/chat"
)

// collector takes traces as OpenTelemetry's does.
type collector struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	spans  []otlpSpan
	who    map[string]string
	heads  http.Header
	path   string
}

func newCollector(t *testing.T) *collector {
	c := &collector{status: http.StatusOK, who: map[string]string{}}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		body, err := io.ReadAll(req.Body)
		var got otlpTraces
		if err == nil {
			err = json.Unmarshal(body, &got)
		}
		if err != nil {
			t.Errorf("%v: %s", err, body)
		}
		c.heads, c.path = req.Header, req.URL.Path
		for _, r := range got.ResourceSpans {
			for _, a := range r.Resource.Attributes {
				c.who[a.Key] = *a.Value.Text
			}
			for _, s := range r.ScopeSpans {
				c.spans = append(c.spans, s.Spans...)
			}
		}
		w.WriteHeader(c.status)
	}))
	t.Cleanup(c.Close)
	return c
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
	c := newCollector(t)
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL+"/")
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
	roots := map[string]otlpSpan{}
	for _, s := range c.spans {
		if s.ParentID == "" {
			roots[s.SpanID] = s
		}
	}
	if len(c.spans) != 6 || len(roots) != 2 {
		t.Fatalf("%d spans, %d of them roots: %+v", len(c.spans), len(roots), c.spans)
	}
	for _, s := range c.spans {
		root, under := roots[s.ParentID]
		switch {
		case len(s.TraceID) != 32 || len(s.SpanID) != 16 || s.Start > s.End || len(s.Start) != 19:
			t.Errorf("%+v", s)
		case s.ParentID != "" && (!under || root.TraceID != s.TraceID || s.Name != "discord answer" || s.Kind != 3 || s.Status.Code != otlpError):
			t.Errorf("%+v under %+v", s, root)
		case s.ParentID == "" && (s.Name != "press" || s.Kind != 2):
			t.Errorf("%+v", s)
		}
		if s.ParentID == "" {
			failed := attributeOf(s, "zevaka.outcome") == "broken"
			if want := attributeOf(s, "zevaka.request") == "discord/2"; failed != want || (s.Status.Code == otlpError) != want {
				t.Errorf("%+v", s)
			}
		}
	}
	if c.path != "/v1/traces" || c.heads.Get("Authorization") != "Bearer abc" || c.heads.Get("X-Org") != "7" || c.heads.Get("Content-Type") != "application/json" {
		t.Errorf("%s with %v", c.path, c.heads)
	}
	if c.who["service.name"] != "zevaka" || c.who["service.version"] != "v1.2.3" || c.who["deployment.environment"] != "test" {
		t.Errorf("from %v", c.who)
	}
}

func attributeOf(s otlpSpan, key string) string {
	for _, a := range s.Attributes {
		if a.Key == key && a.Value.Text != nil {
			return *a.Value.Text
		}
	}
	return ""
}

// TestTracesSettings: traces are off unless there is where to send them, and what can't be meant is refused.
func TestTracesSettings(t *testing.T) {
	c := newCollector(t)
	for _, test := range []struct {
		name                    string
		endpoint, traces, share string
		wantErr                 string
		wantOff                 bool
		wantPath                string
		wantSpans               int
	}{
		{name: "off", wantOff: true},
		{name: "an address of its own", traces: c.URL + "/mine", wantPath: "/mine", wantSpans: 3},
		{name: "none followed", endpoint: c.URL, share: "0"},
		{name: "all followed", endpoint: c.URL, share: "1", wantPath: "/v1/traces", wantSpans: 3},
		{name: "more than all", endpoint: c.URL, share: "2", wantErr: `OTEL_TRACES_SAMPLER_ARG: give a number from 0 to 1, not "2"`},
		{name: "no number", endpoint: c.URL, share: "NaN", wantErr: "OTEL_TRACES_SAMPLER_ARG"},
		{name: "no address", endpoint: "localhost:4318", wantErr: "give an address like http://127.0.0.1:4318"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c.spans, c.path = nil, ""
			t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", test.endpoint)
			t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", test.traces)
			t.Setenv("OTEL_TRACES_SAMPLER_ARG", test.share)
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
	c := newCollector(t)
	c.status = http.StatusTeapot
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", c.URL)
	var log strings.Builder
	traces, err := NewTraces("", NewLog(&log, Logging{}))
	if err != nil {
		t.Fatal(err)
	}
	press(t, New(Options{Traces: traces}), "x", chat.Done)
	if err := traces.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if !strings.Contains(log.String(), `error="the collector answers 418 I'm a teapot"`) {
		t.Errorf("the log says %s", &log)
	}
}

// TestOTLP: spans are written as OTLP's own example of JSON has them.
func TestOTLP(t *testing.T) {
	at := time.Unix(1544712660, 0)
	id := trace.TraceID{0x5b, 0x8e, 0xff, 0xf7, 0x98, 0x03, 0x81, 0x03, 0xd2, 0x69, 0xb6, 0x33, 0x81, 0x3f, 0xc6, 0x0c}
	span := func(last byte) trace.SpanContext {
		return trace.NewSpanContext(trace.SpanContextConfig{TraceID: id, SpanID: trace.SpanID{0xee, 0xe1, 0x9b, 0x7e, 0xc3, 0xc1, 0xb1, last}})
	}
	spans := tracetest.SpanStubs{
		{
			Name: "press", SpanContext: span(0x73), SpanKind: trace.SpanKindServer, StartTime: at, EndTime: at.Add(time.Second),
			Resource: resource.NewSchemaless(attribute.String("service.name", "zevaka")), Status: sdktrace.Status{Code: codes.Error},
		},
		{
			Name: "discord answer", SpanContext: span(0x74), Parent: span(0x73), StartTime: at, EndTime: at.Add(time.Millisecond),
			Resource:   resource.NewSchemaless(attribute.String("service.name", "zevaka")),
			Attributes: []attribute.KeyValue{attribute.Int("http.response.status_code", 429)},
		},
	}.Snapshots()
	got, err := json.MarshalIndent(otlpRequest(spans), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
 "resourceSpans": [
  {
   "resource": {
    "attributes": [
     {
      "key": "service.name",
      "value": {
       "stringValue": "zevaka"
      }
     }
    ]
   },
   "scopeSpans": [
    {
     "scope": {
      "name": "zevaka"
     },
     "spans": [
      {
       "traceId": "5b8efff798038103d269b633813fc60c",
       "spanId": "eee19b7ec3c1b173",
       "name": "press",
       "kind": 2,
       "startTimeUnixNano": "1544712660000000000",
       "endTimeUnixNano": "1544712661000000000",
       "status": {
        "code": 2
       }
      },
      {
       "traceId": "5b8efff798038103d269b633813fc60c",
       "spanId": "eee19b7ec3c1b174",
       "parentSpanId": "eee19b7ec3c1b173",
       "name": "discord answer",
       "kind": 1,
       "startTimeUnixNano": "1544712660000000000",
       "endTimeUnixNano": "1544712660001000000",
       "attributes": [
        {
         "key": "http.response.status_code",
         "value": {
          "intValue": "429"
         }
        }
       ],
       "status": {}
      }
     ]
    }
   ]
  }
 ]
}`
	if string(got) != want {
		t.Errorf("it is written as\n%s", got)
	}
}
