package etcdtest

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// errNobody says that the process which began a connection is gone.
var errNobody = errors.New("etcdtest: a connection of no member")

// caller is the name of the member that began a connection, by what the system knows of whose it is.
func (c *Cluster) caller(conn net.Conn) (string, error) {
	inode, err := socket(conn.RemoteAddr().(*net.TCPAddr), conn.LocalAddr().(*net.TCPAddr))
	if err != nil {
		return "", err
	}
	for _, m := range c.Members {
		open, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", m.pid()))
		if err != nil {
			return "", err
		}
		for _, fd := range open {
			if is, err := os.Readlink(fd); err == nil && is == "socket:["+inode+"]" {
				return m.Name, nil
			}
		}
	}
	return "", errNobody
}

// socket is the inode of the socket of a connection on this machine from one address to another.
func socket(from, to *net.TCPAddr) (inode string, err error) {
	file, err := os.Open("/proc/net/tcp")
	if err != nil {
		return "", err
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) > 9 && port(fields[1]) == from.Port && port(fields[2]) == to.Port {
			return fields[9], nil
		}
	}
	return "", errNobody
}

// port is that of an address as the system writes it.
func port(address string) int {
	_, text, _ := strings.Cut(address, ":")
	n, err := strconv.ParseUint(text, 16, 16)
	if err != nil {
		return -1
	}
	return int(n)
}
