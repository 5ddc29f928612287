package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"sigs.k8s.io/yaml"
)

// render writes what a Helm chart makes of its values and of those in further files, by the templates and functions that
// the chart uses: Helm itself takes a quarter of an hour to build.
func render(chart string, overrides []string) {
	values := map[string]any{}
	for _, path := range append([]string{filepath.Join(chart, "values.yaml")}, overrides...) {
		text, err := os.ReadFile(path)
		if err == nil {
			err = yaml.Unmarshal(text, &values)
		}
		if err != nil {
			panic(err)
		}
	}
	root := template.New("chart").Option("missingkey=error")
	execute := func(name string, data any) string {
		var written bytes.Buffer
		if err := root.ExecuteTemplate(&written, name, data); err != nil {
			panic(err)
		}
		return written.String()
	}
	root.Funcs(template.FuncMap{
		"include": execute,
		"toYaml": func(value any) string {
			text, err := yaml.Marshal(value)
			if err != nil {
				panic(err)
			}
			return strings.TrimSuffix(string(text), "\n")
		},
		"nindent": func(spaces int, text string) string {
			indent := "\n" + strings.Repeat(" ", spaces)
			return indent + strings.ReplaceAll(text, "\n", indent)
		},
		"quote":      func(value any) string { return fmt.Sprintf("%q", fmt.Sprint(value)) },
		"trimPrefix": func(prefix, text string) string { return strings.TrimPrefix(text, prefix) },
		"sha256sum":  func(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) },
	})
	paths, err := filepath.Glob(filepath.Join(chart, "templates", "*.yaml"))
	if err != nil || len(paths) == 0 {
		panic("the chart has no templates")
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		template.Must(root.New("templates/" + filepath.Base(path)).Parse(string(text)))
	}
	data := map[string]any{
		"Values":   values,
		"Release":  map[string]any{"Name": "parley"},
		"Template": map[string]any{"BasePath": "templates"},
	}
	documents := []string{}
	for _, path := range paths {
		if written := strings.TrimSpace(execute("templates/"+filepath.Base(path), data)); written != "" {
			documents = append(documents, written)
		}
	}
	fmt.Println(strings.Join(documents, "\n---\n"))
}
