{{- define "loom.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}-loom
{{- end -}}

{{- define "loom.selector" -}}
app.kubernetes.io/name: loom
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "loom.labels" -}}
{{ include "loom.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "loom.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "loom.keysSecret" -}}
{{- if .Values.keys.existingSecret -}}
{{ .Values.keys.existingSecret }}
{{- else if .Values.keys.file -}}
{{ include "loom.name" . }}-keys
{{- end -}}
{{- end -}}

{{/* The claim of the volume that keeps claims; empty where they are off, or in a PostgreSQL. */}}
{{- define "loom.claimsVolume" -}}
{{- if and .Values.claims.enabled (not .Values.claims.postgresSecret) -}}
{{ .Values.claims.existingClaim | default (printf "%s-claims" (include "loom.name" .)) }}
{{- end -}}
{{- end -}}
