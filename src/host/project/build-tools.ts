/** Projects whose one tool does everything: by its manifest alone it is known what to say. */
import { type FoundCommands, found, type ProjectKind } from './project-kind.ts'

export const cargo: ProjectKind = {
  manifests: ['Cargo.toml'],
  probes: [],
  commands: (files, manifest) => {
    const all = /^\s*\[workspace\]/m.test(files.text(manifest)) ? ' --workspace' : ''
    return {
      test: found(`cargo test${all}`, manifest),
      build: found(`cargo build${all}`, manifest),
      lint: found(`cargo clippy${all} --all-targets -- -D warnings`, manifest),
      check: found(`cargo check${all} --all-targets`, manifest),
    }
  },
}

const GOLANGCI = ['yml', 'yaml', 'toml', 'json'].map((ending) => `.golangci.${ending}`)

export const go: ProjectKind = {
  manifests: ['go.mod'],
  probes: GOLANGCI,
  commands: (files, manifest) => {
    const linter = GOLANGCI.find((name) => files.has(name))
    return {
      test: found('go test ./...', manifest),
      build: found('go build ./...', manifest),
      check: found('go vet ./...', manifest),
      ...(linter === undefined ? {} : { lint: found('golangci-lint run', linter) }),
    }
  },
}

export const maven: ProjectKind = {
  manifests: ['pom.xml'],
  probes: ['mvnw'],
  commands: (files, manifest) => {
    const program = files.has('mvnw') ? './mvnw' : 'mvn'
    return {
      test: found(`${program} -B test`, manifest),
      build: found(`${program} -B -DskipTests package`, manifest),
      check: found(`${program} -B -DskipTests compile test-compile`, manifest),
    }
  },
}

export const gradle: ProjectKind = {
  manifests: ['build.gradle.kts', 'build.gradle', 'settings.gradle.kts', 'settings.gradle'],
  probes: ['gradlew'],
  commands: (files, manifest) => {
    const program = files.has('gradlew') ? './gradlew' : 'gradle'
    return {
      test: found(`${program} test`, manifest),
      build: found(`${program} assemble`, manifest),
      check: found(`${program} classes testClasses`, manifest),
    }
  },
}

const TARGETS = ['test', 'build', 'lint', 'check'] as const

/** Only targets that it has, by names that we choose. */
export const make: ProjectKind = {
  manifests: ['GNUmakefile', 'makefile', 'Makefile'],
  probes: [],
  commands: (files, manifest) =>
    Object.fromEntries(
      TARGETS.filter((target) =>
        new RegExp(`^${target}[ \\t]*::?(?![:=])`, 'm').test(files.text(manifest)),
      ).map((target) => [target, found(`make ${target}`, `the target ${target} of ${manifest}`)]),
    ) satisfies FoundCommands,
}
