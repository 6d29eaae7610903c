//go:build faults

package faults

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"zevaka/bot/testlog"
)

// process is a zevaka that serves.
type process struct {
	t   *testing.T
	cmd *exec.Cmd
	// disk is in the hands of the test.
	disk *disk
	log  *testlog.Log
}

// environment is that of the test, without the settings of any other zevaka, and with these.
func environment(settings ...string) []string {
	var env []string
	for _, setting := range os.Environ() {
		if !strings.HasPrefix(setting, "ZEVAKA_") {
			env = append(env, setting)
		}
	}
	return append(env, settings...)
}

// launch starts a zevaka with these settings.
func launch(t *testing.T, settings ...string) *process {
	t.Helper()
	return launchAs(t, binary, settings...)
}

// launchAs starts another build of it.
func launchAs(t *testing.T, program string, settings ...string) *process {
	t.Helper()
	p := &process{t: t, log: new(testlog.Log), cmd: exec.Command(program)}
	p.cmd.Stderr = p.log
	p.cmd.Path, p.cmd.Env = os.Args[0], environment(append(settings, behind+"="+program)...)
	var err error
	if p.disk, err = newDisk(p.cmd); err != nil {
		t.Fatalf("stand between a process and its disk: %v", err)
	}
	return p
}

// signal sends the process a signal.
func (p *process) signal(s syscall.Signal) {
	p.t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		p.t.Fatalf("signal %v: %v\n%s", s, err, p.log)
	}
}

// exited reports whether the process has ended.
func (p *process) exited() bool {
	var how unix.Siginfo
	err := unix.Waitid(unix.P_PID, p.cmd.Process.Pid, &how, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
	if errors.Is(err, unix.ECHILD) { // Somebody has waited for it.
		return true
	}
	return err == nil && how.Signo == int32(unix.SIGCHLD)
}

// kill ends the process at once.
func (p *process) kill() {
	p.t.Helper()
	p.signal(syscall.SIGKILL)
	_ = p.cmd.Wait() // It says that it was killed.
	p.disk.close()
	if status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus); !ok || status.Signal() != syscall.SIGKILL {
		p.t.Fatalf("the process ended by itself: %v\n%s", p.cmd.ProcessState, p.log)
	}
}

// fails waits for the process to end by itself, and to say that it failed.
func (p *process) fails() {
	p.t.Helper()
	late := time.AfterFunc(3*stopTime, func() { _ = p.cmd.Process.Kill() })
	defer late.Stop()
	_ = p.cmd.Wait() // The code says how it ended.
	p.disk.close()
	if code := p.cmd.ProcessState.ExitCode(); code != 1 {
		p.t.Fatalf("the process ended with %d\n%s", code, p.log)
	}
}

// pause freezes the process, which keeps its connections and says nothing, until resume wakes it.
func (p *process) pause()  { p.signal(syscall.SIGSTOP) }
func (p *process) resume() { p.signal(syscall.SIGCONT) }

// stopTime is how long the process may take to stop when it is asked to.
const stopTime = 5 * time.Second

// stop ends the process as a wrapper does, which tells it twice at once: it stands meanwhile, so that the second signal comes with the
// first, however long the test waits for its next turn.
func (p *process) stop() {
	p.t.Helper()
	asked := time.Now()
	p.pause()
	if err := unix.Waitid(unix.P_PID, p.cmd.Process.Pid, nil, unix.WSTOPPED, nil); err != nil {
		p.t.Fatalf("wait until the process stands: %v", err)
	}
	p.signal(syscall.SIGTERM)
	p.signal(syscall.SIGINT)
	p.resume()
	err := p.cmd.Wait()
	p.disk.close()
	if took := time.Since(asked); err != nil || took > stopTime {
		p.t.Fatalf("stopped after %v: %v\n%s", took, err, p.log)
	}
}

// run is another command of the same program, run to its end: what it says, and its exit code.
func run(t *testing.T, args ...string) (said string, code int) {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = environment()
	out, _ := cmd.CombinedOutput() // The code says what there is to know.
	return string(out), cmd.ProcessState.ExitCode()
}
