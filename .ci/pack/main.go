// Command pack puts the files of a release together, so that the same files make the same bytes on every machine.
//
//	pack archive OUT.tar.gz|OUT.zip NAME=FILE…
//	pack image OUT.tar CONFIG.json VERSION REVISION OS/ARCH=PROGRAM…
//
// Their time is SOURCE_DATE_EPOCH. An image is an archive as OCI lays one out, for all the systems that are named, each with the program alone and a
// folder /data, which belongs to whom the configuration has it run as; its digest is printed.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

// file is what goes into an archive: a folder if its name ends in a slash.
type file struct {
	name  string
	mode  int64
	owner int
	text  []byte
}

func run(args []string) error {
	seconds, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
	if err != nil {
		return fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	at := time.Unix(seconds, 0).UTC()
	switch {
	case len(args) > 2 && args[0] == "archive":
		return archive(args[1], args[2:], at)
	case len(args) > 5 && args[0] == "image":
		return image(args[1], args[2], args[3], args[4], args[5:], at)
	}
	return errors.New("say archive or image, and of what")
}

// named splits NAME=FILE and reads the file.
func named(pair string) (file, error) {
	name, path, _ := strings.Cut(pair, "=")
	text, err := os.ReadFile(path)
	if err != nil {
		return file{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return file{}, err
	}
	mode := int64(0o644)
	if info.Mode()&0o100 != 0 {
		mode = 0o755
	}
	return file{name: name, mode: mode, text: text}, nil
}

// archive writes files as the archive's name says.
func archive(out string, pairs []string, at time.Time) error {
	var files []file
	for _, pair := range pairs {
		f, err := named(pair)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	write := zipped
	if strings.HasSuffix(out, ".gz") {
		write = func(w io.Writer, files []file, at time.Time) error {
			packed := gzip.NewWriter(w)
			return errors.Join(tarred(packed, files, at), packed.Close())
		}
	}
	var all bytes.Buffer
	if err := write(&all, files, at); err != nil {
		return err
	}
	return os.WriteFile(out, all.Bytes(), 0o644)
}

func tarred(w io.Writer, files []file, at time.Time) error {
	archive := tar.NewWriter(w)
	for _, f := range files {
		kind := byte(tar.TypeReg)
		if strings.HasSuffix(f.name, "/") {
			kind = tar.TypeDir
		}
		err := archive.WriteHeader(&tar.Header{
			Typeflag: kind, Name: f.name, Mode: f.mode, Size: int64(len(f.text)), Uid: f.owner, Gid: f.owner, ModTime: at, Format: tar.FormatUSTAR,
		})
		if err != nil {
			return err
		}
		if _, err := archive.Write(f.text); err != nil {
			return err
		}
	}
	return archive.Close()
}

func zipped(w io.Writer, files []file, at time.Time) error {
	archive := zip.NewWriter(w)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		header.SetMode(os.FileMode(f.mode))
		one, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := one.Write(f.text); err != nil {
			return err
		}
	}
	return archive.Close()
}

// What an image is made of, as OCI has it.
type (
	descriptor struct {
		MediaType   string            `json:"mediaType"`
		Digest      string            `json:"digest"`
		Size        int               `json:"size"`
		Platform    *platform         `json:"platform,omitempty"`
		Annotations map[string]string `json:"annotations,omitempty"`
	}
	platform struct {
		Architecture string `json:"architecture"`
		OS           string `json:"os"`
	}
	manifest struct {
		SchemaVersion int               `json:"schemaVersion"`
		MediaType     string            `json:"mediaType"`
		Config        *descriptor       `json:"config,omitempty"`
		Layers        []descriptor      `json:"layers,omitempty"`
		Manifests     []descriptor      `json:"manifests,omitempty"`
		Annotations   map[string]string `json:"annotations,omitempty"`
	}
	configuration struct {
		platform
		Created time.Time       `json:"created"`
		Config  json.RawMessage `json:"config"`
		RootFS  struct {
			Type    string   `json:"type"`
			DiffIDs []string `json:"diff_ids"`
		} `json:"rootfs"`
	}
)

const (
	typeIndex    = "application/vnd.oci.image.index.v1+json"
	typeManifest = "application/vnd.oci.image.manifest.v1+json"
	typeConfig   = "application/vnd.oci.image.config.v1+json"
	typeLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// layout is an image as it comes together.
type layout struct{ blobs []file }

// add keeps a blob.
func (l *layout) add(mediaType string, blob []byte) descriptor {
	sum := fmt.Sprintf("%x", sha256.Sum256(blob))
	l.blobs = append(l.blobs, file{name: "blobs/sha256/" + sum, mode: 0o644, text: blob})
	return descriptor{MediaType: mediaType, Digest: "sha256:" + sum, Size: len(blob)}
}

// addJSON keeps what is written down as JSON.
func (l *layout) addJSON(mediaType string, v any) (descriptor, error) {
	text, err := json.Marshal(v)
	return l.add(mediaType, text), err
}

// image writes an image for each of the systems.
func image(out, config, version, revision string, programs []string, at time.Time) error {
	settings, err := os.ReadFile(config)
	if err != nil {
		return err
	}
	about := map[string]string{
		"org.opencontainers.image.title":       "zevaka",
		"org.opencontainers.image.description": "A chat bot that deals card games to a group",
		"org.opencontainers.image.version":     version,
		"org.opencontainers.image.revision":    revision,
	}
	var l layout
	index := manifest{SchemaVersion: 2, MediaType: typeIndex, Annotations: about}
	for _, pair := range programs {
		program, err := named(pair)
		if err != nil {
			return err
		}
		one, err := l.system(program, settings, about, at)
		if err != nil {
			return err
		}
		index.Manifests = append(index.Manifests, one)
	}
	all, err := l.addJSON(typeIndex, index)
	if err != nil {
		return err
	}
	digest := all.Digest
	all.Annotations = map[string]string{"org.opencontainers.image.ref.name": version}
	top, err := json.Marshal(manifest{SchemaVersion: 2, MediaType: typeIndex, Manifests: []descriptor{all}})
	if err != nil {
		return err
	}
	files := append([]file{
		{name: "oci-layout", mode: 0o644, text: []byte(`{"imageLayoutVersion":"1.0.0"}`)}, {name: "index.json", mode: 0o644, text: top},
	}, l.blobs...)
	var packed bytes.Buffer
	if err := tarred(&packed, files, at); err != nil {
		return err
	}
	fmt.Println(digest)
	return os.WriteFile(out, packed.Bytes(), 0o644)
}

// system adds the image of one system, whose program is named after it.
func (l *layout) system(program file, settings []byte, about map[string]string, at time.Time) (descriptor, error) {
	var all map[string]any
	if err := json.Unmarshal(settings, &all); err != nil {
		return descriptor{}, err
	}
	all["Labels"] = about
	config, err := json.Marshal(all)
	if err != nil {
		return descriptor{}, err
	}
	user, _, _ := strings.Cut(fmt.Sprint(all["User"]), ":")
	owner, err := strconv.Atoi(user)
	if err != nil {
		return descriptor{}, err
	}
	var made configuration
	made.OS, made.Architecture, _ = strings.Cut(program.name, "/")
	made.Created, made.Config, made.RootFS.Type = at, config, "layers"
	var layer, packed bytes.Buffer
	program.name = "zevaka"
	if err := tarred(&layer, []file{{name: "data/", mode: 0o755, owner: owner}, program}, at); err != nil {
		return descriptor{}, err
	}
	made.RootFS.DiffIDs = []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer.Bytes()))}
	writer := gzip.NewWriter(&packed)
	if _, err := layer.WriteTo(writer); err != nil {
		return descriptor{}, err
	}
	if err := writer.Close(); err != nil {
		return descriptor{}, err
	}
	stored, err := l.addJSON(typeConfig, made)
	if err != nil {
		return descriptor{}, err
	}
	one, err := l.addJSON(typeManifest, manifest{
		SchemaVersion: 2, MediaType: typeManifest, Config: &stored, Layers: []descriptor{l.add(typeLayer, packed.Bytes())}, Annotations: about,
	})
	one.Platform = &made.platform
	return one, err
}
