using Reqnroll;
using Shop.Forms;

namespace Shop.Pages
{
    [Binding]
    public class PageSteps
    {
        private readonly FormSteps _forms;

        public PageSteps(FormSteps forms)
        {
            _forms = forms;
        }

        [Given(@"I open the ""(.*)"" page")]
        public void GivenIOpenThePage(string page) { }

        [Given(@"I press the button")]
        public void GivenIPressTheButton() { }

        [Given(@"I log in as {string}")]
        public async Task GivenILogInAs(string name)
        {
            GivenIOpenThePage("login");
            await _forms.GivenIFillIn(name);
            GivenIPressTheButton();
        }

        [When(@"I (\w+)$")]
        public void WhenI(string act) { }

        [Then(@"all is done")]
        public void Done() { }
    }
}
