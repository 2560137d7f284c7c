/**
 * The files that hold credentials, wherever a program keeps them: the one list, used by every view of a sandbox. Files that
 * may hold a credential beside settings are judged by what they say, so that a registry's address alone stays readable.
 */
import { hasPassword } from '../../model/without-passwords.ts'

/** Nothing but credentials. Patterns of a file name, or of a path's last parts. */
export const CREDENTIAL_FILES: readonly string[] = `
  .netrc _netrc .git-credentials .pypirc .pgpass .my.cnf .vault-token .dockercfg .boto .s3cfg .htpasswd
  credentials credentials.toml credentials.json credentials.tfrc.json .terraformrc .credentials.json
  application_default_credentials.json access_tokens.db credentials.db .gem-credentials
  id_rsa id_dsa id_ecdsa id_ed25519 *.ppk *.p12 *.pfx *.kdbx *.ovpn
  token .token *.token .secret *.secret .secrets conda-meta/state .aws/config .kube/config gh/hosts.yml glab-cli/config.yml
`
  .trim()
  .split(/\s+/)

/** Settings, among which a credential may stand. */
export const SETTINGS_FILES: readonly string[] = `
  npmrc .npmrc .yarnrc .yarnrc.yml .pnpmrc bunfig.toml .bunfig.toml .bowerrc
  pip.conf pip.ini pydistutils.cfg .pydistutils.cfg uv.toml auth.toml poetry.toml .condarc condarc conda-meta/history
  activate.d/*.sh activate.d/*.json .env .envrc *.env
  gradle.properties settings.xml settings-security.xml nuget.config NuGet.Config NuGet.config auth.json config.json
  .bundle/config .gemrc gemrc .cargo/config .cargo/config.toml config.toml sbt.credentials .sbt.credentials
  gitconfig .gitconfig .curlrc curlrc .wgetrc wgetrc .hgrc hgrc .svn/auth
  environment environment.d/* profile.d/* fstab daemon.json http-proxy.conf proxy.conf sysconfig/proxy
  apt.conf apt.conf.d/* auth.conf auth.conf.d/* sources.list sources.list.d/* yum.conf dnf.conf *.repo
  *.pem *.key *.jks *.keystore secrets.* secret.*
`
  .trim()
  .split(/\s+/)

export const MAX_SETTINGS_BYTES = 256 * 1024

/** A private key, an address with a password, or a value under a telling name; examples in comments and references to variables are none. */
export function holdsCredential(text: string): boolean {
  const said = text.replaceAll(/<!--[\s\S]*?-->/g, '').replaceAll(/^[ \t]*[#;].*$/gm, '')
  return /PRIVATE KEY/.test(said) || TELLING_VALUE.test(said) || CONDA_TOKEN.test(said) || hasPassword(said)
}

const TELLING_VALUE =
  /(?:^|[\s"'<:_.-]|[a-z](?=[A-Z]))(?:_?auth(?:token|orization)?|identitytoken|token|_?passw(?:or)?d|passphrase|secret|(?:api|access|secret)[_-]?key)["']?(?:[ \t]+value)?[ \t]*[:=>][ \t]*["']?(?!\$|%|true\b|false\b|null\b|[{[])[^\s"'<]{4,}/im

/** `conda.anaconda.org/t/TOKEN/channel`. */
const CONDA_TOKEN = /\/t\/[\w-]{8,}\//
