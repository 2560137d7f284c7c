# The same kind of flow in HCL. Steps follow each other in the order they stand unless they say otherwise.
agent "planner" {
  use    = "default"
  writes = [".signalbox/run/**"]
  prompt = <<-PROMPT
    You plan features.

    When two ways have different merits, put a tradeoff to a person.
  PROMPT
}

agent "builder" {
  use   = "default"
  prime = { startup = "signalbox issue show ${var.issue}" }
  on_signal = { action = "gate", run = "npm test" }
}

job "feature" {
  vars = { issue = { required = true } }

  step "plan" {
    run    = { agent = "planner" }
    prompt = "Plan ${issue.title}."
  }

  step "approve" {
    decision {
      prompt  = "Review the plan and choose how to proceed"
      context = "cat .signalbox/run/plan.md"
      option "build" { description = "The plan is good, build it" recommended = true }
      option "revise" { description = "Send it back" to = "plan" max = 2 then = "abandoned" }
      option "abandoned" { description = "Drop this feature" }
    }
  }

  step "build" {
    run        = { agent = "builder" }
    depends_on = ["approve"]
  }
}
