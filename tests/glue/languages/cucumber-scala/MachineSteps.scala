package steps

import io.cucumber.scala.{DE, EN, ScalaDsl}

class MachineSteps extends ScalaDsl with EN with DE {
  val Lid = "the lid"

  ParameterType("colour", "red|amber") { (name: String) => name }

  Given("the machine is ready") { () =>
    machine.start()
  }
  Given("there are {int} apples") { (count: Int) => machine.fill(count) }
  Angenommen("es gibt {int} Äpfel") { (count: Int) => machine.fill(count) }
  When("""^"([^"]*)" takes (\d+) of them$""") { (who: String, count: Int) =>
    machine.give(who, count)
  }
  Then("it holds {int} apple(s)") { count: Int => check(count) }
  Then("the sign is {colour}") { (colour: String) => check(colour) }
  Then("it costs {int} € \\(net)") { (price: Int) => check(price) }
  But(Lid + " is shut") { () => }
  And(s"$Lid is open") { () => }
  And(s"${unknown.call()} lid") { () => }
  And(message()) { () => }
  Given("no body")
  other("a")("b") { 1 }
}
