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
