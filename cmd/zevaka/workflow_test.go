package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// workflow is what the host does when something happens to the repository.
type workflow struct {
	text        string
	Permissions map[string]string
	Jobs        map[string]struct {
		Container   string
		Permissions map[string]string
		Steps       []struct{ Uses, Run string }
	}
}

// workflowNamed is one of those that come with the program.
func workflowNamed(t *testing.T, name string) workflow {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", ".github", "workflows", name))
	if err != nil {
		t.Fatal(err)
	}
	w := workflow{text: string(text)}
	if err := yaml.Unmarshal(text, &w); err != nil {
		t.Fatal(err)
	}
	return w
}

// runs reports whether a job has a step that runs the command, or uses the action.
func (w workflow) runs(job, what string) bool {
	for _, step := range w.Jobs[job].Steps {
		if strings.Contains(step.Run, what) || strings.HasPrefix(step.Uses, what+"@") {
			return true
		}
	}
	return false
}

// TestWorkflow: the host runs the whole check, looks for holes, and makes releases whose origin it vouches for.
func TestWorkflow(t *testing.T) {
	t.Parallel()
	for what, where := range map[string]struct{ file, job string }{
		".ci/run":                             {"ci.yml", "check"},
		"golang.org/x/vuln/cmd/govulncheck@v": {"ci.yml", "holes"},
		"github/codeql-action/analyze":        {"codeql.yml", "analyse"},
		".ci/release":                         {"release.yml", "build"},
		"[ -s LICENSE ]":                      {"release.yml", "build"},
		"--notes-file":                        {"release.yml", "build"},
		"skopeo copy --all":                   {"release.yml", "image"},
		"actions/attest":                      {"release.yml", "build"},
		"gh release create":                   {"release.yml", "build"},
	} {
		if w := workflowNamed(t, where.file); !w.runs(where.job, what) {
			t.Errorf("%s does not run %s: %+v", where.file, what, w.Jobs[where.job])
		}
	}
}

// TestFixedWorkflows: nothing that the host runs can be replaced behind our back, and it may do no more than it must.
func TestFixedWorkflows(t *testing.T) {
	t.Parallel()
	writes := map[string]string{
		"release.yml build": "attestations contents id-token", "release.yml image": "attestations id-token packages", "codeql.yml analyse": "security-events",
	}
	action := regexp.MustCompile(`^\s*(?:- )?uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	files, err := filepath.Glob(filepath.Join("..", "..", ".github", "workflows", "*"))
	if err != nil || len(files) < 3 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		w := workflowNamed(t, name)
		for line := range strings.Lines(w.text) {
			line = strings.TrimRight(line, "\n")
			if strings.Contains(line, "uses: ") && !action.MatchString(line) || strings.Contains(line, "@latest") {
				t.Errorf("%s: not fixed: %s", name, line)
			}
		}
		if len(w.Permissions) != 1 || w.Permissions["contents"] != "read" {
			t.Errorf("%s may do %v by default", name, w.Permissions)
		}
		for kind, job := range w.Jobs {
			if job.Container != "" && !regexp.MustCompile(`@sha256:[0-9a-f]{64}$`).MatchString(job.Container) {
				t.Errorf("%s: %s runs in %s", name, kind, job.Container)
			}
			for what, how := range job.Permissions {
				if how != "read" && !strings.Contains(writes[name+" "+kind], what) {
					t.Errorf("%s: %s may change %s", name, kind, what)
				}
			}
		}
	}
}

// TestOneGo: images, checks and releases are made with one Go, since another one makes other bytes.
func TestOneGo(t *testing.T) {
	t.Parallel()
	image := regexp.MustCompile(`golang:(\d+\.\d+\.\d+)-\w+@sha256:[0-9a-f]{64}`).FindStringSubmatch(deployed(t, "Dockerfile"))
	if image == nil {
		t.Fatal("the image is built with nothing in particular")
	}
	if got := workflowNamed(t, "ci.yml").Jobs["check"].Container; got != image[0] {
		t.Errorf("checked in %s, built in %s", got, image[0])
	}
	if text := workflowNamed(t, "release.yml").text; !strings.Contains(text, "go-version: "+image[1]+" ") {
		t.Errorf("a release isn't made with Go %s", image[1])
	}
}
