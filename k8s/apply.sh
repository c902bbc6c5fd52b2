#!/bin/sh
# Install or upgrade: apply an overlay, follow its migration, then the new pods. Ends as soon as the migration has failed, with its log,
# or cannot start, with the reason.
#     k8s/apply.sh OVERLAY NAMESPACE        for example: k8s/apply.sh k8s/overlays/production pocha
set -eu
if test $# -ne 2; then
    echo "usage: k8s/apply.sh OVERLAY NAMESPACE, for example: k8s/apply.sh k8s/overlays/production pocha" >&2
    exit 2
fi
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
    waits=$(in_namespace get pods --selector "job-name=$job" \
        --output jsonpath='{range .items[*].status.containerStatuses[*].state.waiting}{.reason}: {.message}{"\n"}{end}' || true)
    case $waits in # what does not pass by itself
    *ImagePullBackOff* | *InvalidImageName* | *ErrImageNeverPull* | *CreateContainerConfigError*)
        echo "the migration cannot start: $waits" >&2
        exit 1
        ;;
    esac
done
if test "$state" = Failed; then
    in_namespace logs "job/$job" --tail=20 >&2 || true
    echo "the migration has failed: the pods of before go on serving; see Upgrade in docs/operations.md" >&2
    exit 1
fi
in_namespace rollout status deployment/pocha
