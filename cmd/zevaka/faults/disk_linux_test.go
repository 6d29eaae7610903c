//go:build faults

package faults

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// behind is the variable of the environment that makes the test program hand its disk over and become the program that
// the variable names.
const behind = "ZEVAKA_TEST_BEHIND"

// disk stands between a process and its file: the kernel asks it before each write and each sync what shall become of
// that (seccomp(2), SECCOMP_RET_USER_NOTIF). It needs no rights, and the process knows nothing of it.
type disk struct {
	notify int
	ended  chan struct{}
	asked  sync.WaitGroup
	fault  atomic.Pointer[diskFault]
}

// diskFault is what becomes of a write, or of a sync if that is not a write: how long it takes, and its error; 0 is that
// it is made.
type diskFault func(write bool) (time.Duration, unix.Errno)

// newDisk starts the command, which must be this test program, so that its disk is here.
func newDisk(cmd *exec.Cmd) (*disk, error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("make a pair of sockets: %w", err)
	}
	defer unix.Close(pair[0])
	theirs := os.NewFile(uintptr(pair[1]), "socket")
	cmd.ExtraFiles = []*os.File{theirs}
	err = cmd.Start()
	if err = errors.Join(err, theirs.Close()); err != nil {
		return nil, err
	}
	d := &disk{ended: make(chan struct{})}
	if d.notify, err = receive(pair[0]); err != nil {
		return nil, err
	}
	go d.serve()
	return d, nil
}

// receive takes a file descriptor out of a socket.
func receive(socket int) (int, error) {
	oob := make([]byte, unix.CmsgSpace(4))
	_, n, _, _, err := unix.Recvmsg(socket, make([]byte, 1), oob, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return -1, fmt.Errorf("receive the disk: %w", err)
	}
	messages, err := unix.ParseSocketControlMessage(oob[:n])
	if err != nil || len(messages) != 1 {
		return -1, fmt.Errorf("receive the disk: %d messages, %w", len(messages), err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return -1, fmt.Errorf("receive the disk: %d descriptors, %w", len(fds), err)
	}
	return fds[0], nil
}

// runBehind has the parent asked about the disk from now on, and becomes the program that the environment names. It
// returns only if that fails.
func runBehind(args []string) error {
	runtime.LockOSThread()
	const socket = 3 // The first of the command's ExtraFiles.
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("give up privileges: %w", err)
	}
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // The number of the call.
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 2, K: unix.SYS_PWRITE64},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: unix.SYS_FDATASYNC},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_USER_NOTIF},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	notify, _, failed := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER,
		unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&program)))
	if failed != 0 {
		return fmt.Errorf("install the filter: %w", failed)
	}
	if err := unix.Sendmsg(socket, []byte{0}, unix.UnixRights(int(notify)), nil, 0); err != nil {
		return fmt.Errorf("hand the disk over: %w", err)
	}
	unix.CloseOnExec(socket)
	name := os.Getenv(behind)
	return syscall.Exec(name, append([]string{name}, args...), os.Environ())
}

// notification and verdict are struct seccomp_notif and seccomp_notif_resp.
type (
	notification struct {
		id         uint64
		pid, flags uint32
		number     int32
		arch       uint32
		at         uint64
		args       [6]uint64
	}
	verdict struct {
		id    uint64
		value int64
		err   int32
		flags uint32
	}
)

// goOn is SECCOMP_USER_NOTIF_FLAG_CONTINUE: the call is made.
const goOn = 1

// serve answers the kernel until the process is gone.
func (d *disk) serve() {
	defer close(d.ended)
	for {
		poll := []unix.PollFd{{Fd: int32(d.notify), Events: unix.POLLIN}}
		if _, err := unix.Poll(poll, -1); err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
		if poll[0].Revents&unix.POLLIN == 0 {
			if poll[0].Revents != 0 {
				return
			}
			continue
		}
		var n notification
		if _, _, failed := unix.Syscall(unix.SYS_IOCTL, uintptr(d.notify), unix.SECCOMP_IOCTL_NOTIF_RECV, uintptr(unsafe.Pointer(&n))); failed != 0 {
			continue // Whoever asked is gone.
		}
		fault := d.fault.Load()
		if fault == nil {
			d.answer(verdict{id: n.id, flags: goOn})
			continue
		}
		d.asked.Go(func() {
			delay, failed := (*fault)(n.number == unix.SYS_PWRITE64)
			time.Sleep(delay)
			if failed != 0 {
				d.answer(verdict{id: n.id, err: -int32(failed)})
			} else {
				d.answer(verdict{id: n.id, flags: goOn})
			}
		})
	}
}

// answer tells the kernel what becomes of a call. Whoever made it may be gone by now.
func (d *disk) answer(v verdict) {
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(d.notify), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&v)))
}

// close is for when the process has ended.
func (d *disk) close() {
	<-d.ended
	d.asked.Wait()
	_ = unix.Close(d.notify) // There is nothing left to lose.
}

// meets has things go wrong from now on; nil is that nothing does.
func (d *disk) meets(f diskFault) {
	if f == nil {
		d.fault.Store(nil)
	} else {
		d.fault.Store(&f)
	}
}

// isSlow has each sync take a while.
func isSlow(chance *dice) diskFault {
	return func(write bool) (time.Duration, unix.Errno) {
		if write {
			return 0, 0
		}
		return time.Duration(20+chance.IntN(300)) * time.Millisecond, 0
	}
}

// isFull has no room for any write.
func isFull(*dice) diskFault {
	return func(write bool) (time.Duration, unix.Errno) {
		if write {
			return 0, unix.ENOSPC
		}
		return 0, 0
	}
}

// failsToWrite fails at some writes.
func failsToWrite(chance *dice) diskFault {
	return func(write bool) (time.Duration, unix.Errno) {
		if write && chance.IntN(4) == 0 {
			return 0, unix.EIO
		}
		return 0, 0
	}
}

// failsToSync fails at every other sync, so that soon one fails by which a commit would have counted.
func failsToSync(chance *dice) diskFault {
	return func(write bool) (time.Duration, unix.Errno) {
		if !write && chance.IntN(2) == 0 {
			return 0, unix.EIO
		}
		return 0, 0
	}
}

// stalls has one sync take 5 s, and the others none.
func stalls(*dice) diskFault {
	const long = 5 * time.Second
	var one atomic.Bool
	return func(write bool) (time.Duration, unix.Errno) {
		if !write && one.CompareAndSwap(false, true) {
			return long, 0
		}
		return 0, 0
	}
}
