job "spelled" {
  description = "One flow, three spellings"
  vars        = { issue = { required = true }, depth = 2 }
  budgets     = { rework = 1 }
  counters    = { mishaps = 2, rounds = { max = 3, per = "build" } }
  on          = {
    stalled = { to = "retry", max = 1, then = "ask" }
    else    = { to = "retry", count = "mishaps", then = "ask" }
  }

  agent "dev" {
    use    = "default"
    writes = ["src/**"]
    prime  = { startup = "show ${var.issue}" }
    nudges = 1
  }
  agent "check" {
    writes  = []
    network = "off"
    git     = "read"
  }
  agent "mend" {
    writes  = ["${steps.plan.files}", "!docs/**"]
    network = ["registry.npmjs.org"]
    judge   = "./judge ${var.depth}"
  }

  setup {
    run   = ["npm ci", "npm run build"]
    needs = ["package-lock.json"]
    on    = { failed = "abandoned" }
  }

  decision_template "ship_it" {
    prompt_hint      = "Say what ships"
    required_context = ["what"]
    option "go" { description = "Ship it" }
  }

  handoff "plan" {
    version = 2
    fields  = {
      summary = { type = "text", required = true }
      files   = { type = "list", required = true }
      certain = "boolean"
    }
  }

  step "plan" {
    run    = { agent = "dev" }
    prompt = "Plan ${issue.title}"
    gives  = "plan"
    next   = { certain = { false = { to = "retry", max = 1, then = "size" }, else = "size" } }
  }
  step "size" {
    run      = { agent = "check" }
    asks     = { effort = ["small", "large"] }
    optional = ["effort"]
    fields   = { risky = "boolean" }
    when {
      name = "drop"
      if   = { effort = "large", risky = [true, "absent"] }
      to   = "abandoned"
    }
    when {
      name = "go"
      to   = "build"
    }
  }
  step "build" {
    run    = { agent = "dev" }
    prompt = "Build: ${steps.plan.summary ?? "the issue"}"
    gate   = { run = "npm test", max = 2, expect = "pass" }
  }
  step "review" {
    run  = { panel = ["check", { agent = "dev", advisory = true }] }
    asks = "verdict"
    option "approve" { description = "Good" to = "ship" }
    option "reject" {
      description = "Not yet"
      to          = "mend"
      max         = 2
      per         = "build"
      then        = { to = "plan", spend = "rework", forget = true, then = "abandoned" }
    }
    option "unsure" { to = "mend" count = "rounds" then = "ship" }
    fields = { feedback = { type = "text", required_for = ["reject"] } }
  }
  step "mend" {
    run    = { agent = "mend" }
    prompt = "Mend it."
    next   = "review"
  }
  step "ship" {
    depends_on = ["review"]
    decision {
      prompt   = "Ship it?"
      template = "ship_it"
      context  = { what = { run = "git diff ${run.base}...HEAD --stat" } }
      option "go" { to = "shipped" recommended = true }
      option "no" { description = "Never mind" to = "abandoned" }
      deadline {
        remind = ["2h", "6h"]
        reroute {
          after = "8h"
          to = "anna"
        }
        reroute {
          after = "12h"
          to = "@leads"
        }
        expire = "2d"
        hours {
          zone = "Europe/Vienna"
          from = "09:00"
          to = "17:00"
          days = ["mon", "tue", "wed", "thu"]
        }
      }
    }
    on = { expired = "abandoned" }
  }

  end "shipped" {
    description = "It is out"
    success     = true
  }
}
