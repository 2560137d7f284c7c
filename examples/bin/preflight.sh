#!/bin/sh
# Is this a place to work on the issue? 0: yes; 10: no repository, no branch of its own or no issue; 11: not committed; 12: waits for another issue.
issue=$1
branch=$2
[ "$(git rev-parse --is-bare-repository 2>/dev/null)" = false ] || exit 10
[ "$(git symbolic-ref -q --short HEAD)" = "$branch" ] || exit 10
[ -f "TODO/$issue.md" ] || exit 10
[ -z "$(git status --porcelain)" ] || exit 11
for other in $(sed -n 's/^depends-on: *\[\(.*\)\]/\1/p' "TODO/$issue.md" | tr ',' ' '); do
  grep -qi '^status: *done' "TODO/$other.md" 2>/dev/null || exit 12
done
