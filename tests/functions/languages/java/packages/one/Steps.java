package garden.tools.one;

import io.cucumber.java.en.*;
import java.util.*;

public class Steps {
    @When("I dig here")
    public void dig() {
        Actor.does(Digging.deep());
    }

    @When("I wait here")
    public void rest() throws Exception {
        Thread.sleep(100);
    }

    @When("I list here")
    public void list() {
        actor.does(Arrays.asList("dig", "rake"), Objects.requireNonNull(TOOL));
    }
}
