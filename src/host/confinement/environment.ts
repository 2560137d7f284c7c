/**
 * The environment of a process of a run. It is a list, in a sandbox or not: a shell holds tokens that nobody thought of,
 * and whatever a process has, the code it runs has too.
 */
import { withoutPasswords } from '../../model/without-passwords.ts'

/** What any program may need, and what holds no secret of the user's. `NAME_*` stands for all that begin so. */
export const BASE_VARIABLES: readonly string[] = `
  PATH HOME USER LOGNAME SHELL TERM COLORTERM NO_COLOR FORCE_COLOR TZ LANG LANGUAGE LC_* TMPDIR TMP TEMP CI
  XDG_CONFIG_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_STATE_HOME XDG_CONFIG_DIRS XDG_DATA_DIRS
  HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY http_proxy https_proxy all_proxy no_proxy
  SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE GIT_SSL_CAINFO NODE_EXTRA_CA_CERTS NIX_SSL_CERT_FILE
  GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL EMAIL
  GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_NOSYSTEM
  NVM_DIR NVM_BIN FNM_* VOLTA_HOME N_PREFIX NODE_ENV NODE_OPTIONS NODE_PATH COREPACK_HOME PNPM_HOME
  BUN_INSTALL DENO_DIR DENO_INSTALL ASDF_* MISE_DATA_DIR MISE_SHELL NIX_PROFILES NIX_PATH
  CARGO_HOME CARGO_TARGET_DIR RUSTUP_HOME RUSTUP_TOOLCHAIN RUSTFLAGS
  GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOFLAGS GOPROXY GONOSUMDB GOPRIVATE GOTOOLCHAIN
  PYENV_ROOT PYTHONPATH VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PIPX_HOME POETRY_HOME UV_TOOL_DIR UV_PYTHON_INSTALL_DIR
  RBENV_ROOT GEM_HOME GEM_PATH BUNDLE_PATH JAVA_HOME JDK_HOME SDKMAN_DIR MAVEN_HOME M2_HOME GRADLE_HOME GRADLE_USER_HOME
  KOTLIN_HOME ANDROID_HOME ANDROID_SDK_ROOT DOTNET_ROOT FLUTTER_ROOT HOMEBREW_PREFIX HOMEBREW_CELLAR
  CC CXX CFLAGS CXXFLAGS LDFLAGS CPATH LIBRARY_PATH LD_LIBRARY_PATH PKG_CONFIG_PATH MAKEFLAGS
`
  .trim()
  .split(/\s+/)

/** Never passed on, whoever lists it: what is ours, and what git would take from a surrounding git command. */
const OURS =
  /^(?:SIGNALBOX_.*|GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|COMMON_DIR|PREFIX|NAMESPACE))$/

/** A name, or the beginning of one and a star. */
export const isVariablePattern = (text: string): boolean => /^[A-Za-z_]\w*\*?$/.test(text)

/** Of the user's variables those that are listed. */
export function listed(
  variables: Readonly<Record<string, string>>,
  patterns: readonly string[],
): Readonly<Record<string, string>> {
  const names = new Set(patterns)
  const beginnings = patterns.flatMap((each) => (each.endsWith('*') ? [each.slice(0, -1)] : []))
  const passes = (name: string): boolean =>
    !OURS.test(name) && (names.has(name) || beginnings.some((beginning) => name.startsWith(beginning)))
  return Object.fromEntries(Object.entries(variables).filter(([name]) => passes(name)))
}

/** For a sandbox: the usual variables without passwords in them, and whole what somebody named. */
export const listedWithoutPasswords = (
  variables: Readonly<Record<string, string>>,
  named: readonly string[],
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(listed(variables, BASE_VARIABLES)).map(([name, value]) => [name, withoutPasswords(value)]),
  ),
  ...listed(variables, named),
})

/** All of the user's variables but ours: for a command of the user's own, which no run started. */
export const withoutOurs = (variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(variables).filter(([name]) => !OURS.test(name)))

/**
 * In a sandbox the home is another folder, and only there is room for settings and caches: a place of the user's for
 * them elsewhere could not be written to.
 */
export function withPrivateHome(
  variables: Readonly<Record<string, string>>,
  home: string,
): Readonly<Record<string, string>> {
  const kept = Object.entries(variables).filter(
    ([name, value]) => !/^XDG_\w+_HOME$/.test(name) || value.startsWith(`${home}/`),
  )
  return { ...Object.fromEntries(kept), HOME: home }
}
