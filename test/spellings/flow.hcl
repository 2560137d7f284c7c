job "spelled" {
  description = "One flow, three spellings"
  vars        = { issue = { required = true }, depth = 2 }
  budgets     = { rework = 1 }
  on          = { stalled = { to = "retry", max = 1, then = "ask" } }

  agent "dev" {
    use    = "default"
    writes = ["src/**"]
    prime  = { startup = "show ${var.issue}" }
    nudges = 1
  }
  agent "check" {
    writes = []
  }

  decision_template "ship_it" {
    prompt_hint      = "Say what ships"
    required_context = ["what"]
    option "go" { description = "Ship it" }
  }

  handoff "plan" {
    version = 2
    partial = true
    fields  = { summary = { type = "text", required = true } }
  }

  step "plan" {
    run    = { agent = "dev" }
    prompt = "Plan ${issue.title}"
    gives  = "plan"
  }
  step "build" {
    run    = { agent = "dev" }
    prompt = "Build: ${steps.plan.summary ?? "the issue"}"
    gate   = { run = "npm test", max = 2 }
  }
  step "review" {
    run  = { panel = ["check", { agent = "dev", advisory = true }] }
    asks = "verdict"
    option "approve" { description = "Good" to = "ship" }
    option "reject" {
      description = "Not yet"
      to          = "build"
      max         = 2
      then        = { to = "plan", spend = "rework", then = "abandoned" }
    }
    fields = { feedback = { type = "text", required_for = ["reject"] } }
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
