{{/* The name of the release's objects: the release's own name, if that contains the chart's. */}}
{{- define "parley.name" -}}
{{- if contains "parley" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-parley" (.Release.Name | trunc 43 | trimSuffix "-") -}}
{{- end -}}
{{- end }}

{{/* The labels by which pods are selected. Call it with (list . "gateway"). */}}
{{- define "parley.selector" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ (index . 0).Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end }}

{{/* The labels of an object. Call it with (list . "gateway"), or with (list . "") for one of all components. */}}
{{- define "parley.labels" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ $root.Release.Name }}
{{- with index . 1 }}
app.kubernetes.io/component: {{ . }}
{{- end }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version }}
{{- with $root.Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "parley.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end }}

{{/* The variables of all processes that are no secrets, with those that the pods of this chart depend on. */}}
{{- define "parley.config" -}}
{{- $own := dict "HOST" "0.0.0.0" "PORT" "9991" "OPERATIONS_HOST" "0.0.0.0" "OPERATIONS_PORT" "9990" -}}
{{- range $name := list "SECRET_KEY" "DATABASE_URL" "REDIS_URL" "S3_SECRET_ACCESS_KEY" -}}
{{- if hasKey $.Values.config $name -}}
{{- fail (printf "config.%s is a secret: put it into the Secret that secretName names, or refer to one in env." $name) -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := $own -}}
{{- if hasKey $.Values.config $name -}}
{{- fail (printf "config.%s cannot be set: the probes and services of this chart need the value %s." $name $value) -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := merge $own .Values.config }}
{{ $name }}: {{ $value | toString | quote }}
{{- end }}
{{- end }}

{{- define "parley.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (ternary (include "parley.name" .) "default" .Values.serviceAccount.create) -}}
{{- end }}

{{/* What all pods have: the restricted Pod Security Standard, and no token of the cluster. */}}
{{- define "parley.pod" -}}
automountServiceAccountToken: false
{{- if or .Values.serviceAccount.create .Values.serviceAccount.name }}
serviceAccountName: {{ include "parley.serviceAccountName" . }}
{{- end }}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* Where the pods of a component run. Call it with its values. */}}
{{- define "parley.placement" -}}
{{- with .nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{- define "parley.container" -}}
image: {{ include "parley.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{/* Names of hosts, the same everywhere. */}}
{{- define "parley.hosts" -}}
{{- with .Values.ingress.hosts -}}
{{ toJson . }}
{{- else -}}
{{ toJson (list .Values.config.BASE_DOMAIN (printf "*.%s" .Values.config.BASE_DOMAIN)) }}
{{- end -}}
{{- end }}

{{/* Egress to names, and to services at these ports. Call it with (list . ports). */}}
{{- define "parley.egress" -}}
- ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
- to:
    {{- range (index . 0).Values.networkPolicy.services }}
    - ipBlock: {{- toYaml . | nindent 8 }}
    {{- end }}
  ports:
    {{- range index . 1 }}
    - { port: {{ . }} }
    {{- end }}
{{- end }}
