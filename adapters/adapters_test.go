package adapters

import (
	"testing"
	"time"
)

// TestClockFinding: a clock that is off by more than half a minute is to be set.
func TestClockFinding(t *testing.T) {
	t.Parallel()
	for ahead, want := range map[time.Duration]string{
		0: "right, by X", -29 * time.Second: "right, by X", time.Hour: "1h0m0s behind X's", -time.Minute: "1m0s ahead of X's",
	} {
		if f := ClockFinding("X", ahead); f.Is != want || (f.Do == "") != (want == "right, by X") {
			t.Errorf("%v: %+v", ahead, f)
		}
	}
}
