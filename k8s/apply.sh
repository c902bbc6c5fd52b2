#!/bin/sh
# Install or upgrade: apply an overlay, follow its migration, then the new pods. Ends as soon as the migration has failed, with its log.
#     k8s/apply.sh OVERLAY NAMESPACE        for example: k8s/apply.sh k8s/overlays/production pocha
set -eu
overlay=$1 namespace=$2
job=pocha-migrate

in_namespace() {
    kubectl --namespace "$namespace" "$@"
}

in_namespace delete job "$job" --ignore-not-found # a Job cannot be changed
kubectl apply -k "$overlay"

state=
while test -z "$state"; do
    sleep "${POLL_SECONDS:-2}"
    state=$(in_namespace get job "$job" \
        --output jsonpath='{.status.conditions[?(@.status=="True")].type}' | grep -oE -m 1 'Complete|Failed' | head -n 1 || true)
done
if test "$state" = Failed; then
    in_namespace logs "job/$job" --tail=20 >&2 || true
    echo "the migration has failed: the pods of before go on serving; see Upgrade in docs/operations.md" >&2
    exit 1
fi
in_namespace rollout status deployment/pocha
