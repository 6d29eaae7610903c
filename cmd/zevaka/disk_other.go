//go:build !linux && !darwin

package main

import "os"

// diskFree isn't known here.
func diskFree(string) (int64, bool) { return 0, false }

// mayWrite isn't known here.
func mayWrite(string) bool { return true }

// ownerMayWrite isn't known here.
func ownerMayWrite(string, string) bool { return true }

// lockFile isn't known here.
func lockFile(*os.File) error { return nil }
