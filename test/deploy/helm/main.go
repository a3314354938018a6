// Checks and renders a chart as `helm lint` and `helm template` do, with the packages of Helm.
//
// It reads a JSON list of cases from its standard input, each the values of one rendering, and writes a JSON list of
// their results: what the linter found, and the text of each template.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
)

type result struct {
	Warnings  []string          `json:"warnings"`
	Templates map[string]string `json:"templates"`
	Error     string            `json:"error"`
}

func render(path string, release string, values map[string]interface{}) (map[string]string, error) {
	chart, err := loader.Load(path)
	if err != nil {
		return nil, err
	}
	version, err := chartutil.ParseKubeVersion("1.33.0")
	if err != nil {
		return nil, err
	}
	capabilities := chartutil.DefaultCapabilities.Copy()
	capabilities.KubeVersion = *version
	options := chartutil.ReleaseOptions{Name: release, Namespace: "chat", Revision: 1, IsInstall: true}
	// It checks the values against the schema of the chart.
	all, err := chartutil.ToRenderValues(chart, values, options, capabilities)
	if err != nil {
		return nil, err
	}
	return engine.Render(chart, all)
}

func read(text json.RawMessage) map[string]interface{} {
	values := map[string]interface{}{}
	if err := json.Unmarshal(text, &values); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return values
}

func main() {
	var cases []struct {
		Release string          `json:"release"`
		Values  json.RawMessage `json:"values"`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	results := []result{}
	for _, one := range cases {
		found := result{Warnings: []string{}}
		// Helm changes the values that it gets.
		for _, message := range lint.All(os.Args[1], read(one.Values), "chat", true).Messages {
			if message.Severity > support.InfoSev {
				found.Warnings = append(found.Warnings, message.Error())
			}
		}
		templates, err := render(os.Args[1], one.Release, read(one.Values))
		found.Templates = templates
		if err != nil {
			found.Error = err.Error()
		}
		results = append(results, found)
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		os.Exit(1)
	}
}
