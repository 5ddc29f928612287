// Reads Kubernetes manifests as the API server does: each document into the type of its kind, and no field that the type
// does not have.
package main

import (
	"bytes"
	"fmt"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

var kinds = map[string]func() any{
	"apps/v1 Deployment":            func() any { return &appsv1.Deployment{} },
	"batch/v1 CronJob":              func() any { return &batchv1.CronJob{} },
	"networking.k8s.io/v1 Ingress":  func() any { return &networkingv1.Ingress{} },
	"policy/v1 PodDisruptionBudget": func() any { return &policyv1.PodDisruptionBudget{} },
	"v1 ConfigMap":                  func() any { return &corev1.ConfigMap{} },
	"v1 Namespace":                  func() any { return &corev1.Namespace{} },
	"v1 PersistentVolumeClaim":      func() any { return &corev1.PersistentVolumeClaim{} },
	"v1 Service":                    func() any { return &corev1.Service{} },
}

func main() {
	if len(os.Args) > 2 && os.Args[1] == "render" {
		render(os.Args[2], os.Args[3:])
		return
	}
	failed := false
	for _, path := range os.Args[1:] {
		text, err := os.ReadFile(path)
		if err != nil {
			panic(err)
		}
		for index, document := range bytes.Split(text, []byte("\n---\n")) {
			told, err := read(document)
			if err != nil {
				failed = true
				fmt.Printf("%s, document %d: %v\n", path, index+1, err)
			} else {
				fmt.Printf("ok %s\n", told)
			}
		}
	}
	if failed {
		os.Exit(1)
	}
}

func read(document []byte) (string, error) {
	var head metav1.PartialObjectMetadata
	if err := yaml.Unmarshal(document, &head); err != nil {
		return "", err
	}
	kind := head.APIVersion + " " + head.Kind
	make, known := kinds[kind]
	if !known {
		return "", fmt.Errorf("%q is no kind that is known here", kind)
	}
	if head.Name == "" {
		return "", fmt.Errorf("%s has no name", kind)
	}
	return head.Kind + " " + head.Name, yaml.UnmarshalStrict(document, make())
}
