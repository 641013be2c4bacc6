using Reqnroll;

namespace Steps
{
    [Binding]
    public class MachineSteps
    {
        private const string Lid = "the lid is ", State = "{word}";
        private static readonly string NoConstant = "open";

        [StepArgumentTransformation("red|amber")]
        public Colour ToColour(string name) => new Colour(name);

        [StepArgumentTransformation(@"(\d+) km", Name = "distance")]
        public async Task<Length> ToLength(int km) { }

        [StepArgumentTransformation]
        public ValueTask<List<string>> ToList(string list) { }

        [Given("the machine is ready")]
        public void MachineIsReady()
        {
        }

        [Given("there are {int} apples"), Scope(Tag = "apples")]
        public void Stock(int count) { }

        [When(@"""([^""]*)"" takes (\d+) of them")]
        public async Task Takes(string who, int count) { }

        [Then("it holds {int} apple(s)")]
        public void Holds(int count) { }

        [Then("^the sign is (red|amber)")]
        public void Sign(string colour) { }

        [Then("it costs {int} € \\(net)")]
        public void Price(int amount) { }

        [StepDefinition(
            "the lid shuts")]
        [WhenAttribute("the lid falls"), Reqnroll.Then(expression: "the lid is down")]
        public void Shuts() { }

        [Given(Lid + MachineSteps.State)]
        [Given($"{Lid}\"{State}\" {{braced}}")]
        public void LidIs(string state) { }

        [When(NoConstant)]
        public void Computed() { }

        [Then("""the lid "says" hello""")]
        [Then("""
            the lid  shouts
            """)]
        public void Says() { }

        [When("the price is .*", ExpressionType = ExpressionType.CucumberExpression)]
        [When("the prize is fair", ExpressionType = ExpressionType.RegularExpression)]
        [When("at {DateTime} it (maybe) stops")]
        public void Stated() { }

        [Given]
        public void Given_WHO_owns_P1_applesToday(string who, int count) { }

        [Then(nameof(Named))]
        public void Named() { }
    }
}
