package garden.tools.two;

import io.cucumber.java.en.*;
import java.util.*;

public class Steps {
    @When("I dig there")
    public void dig() {
        Actor.does(Digging.deep());
    }

    @When("I wait there")
    public void rest() throws Exception {
        Thread.sleep(100);
    }

    @When("I list there")
    public void list() {
        actor.does(Arrays.asList("dig", "rake"), Objects.requireNonNull(TOOL));
    }
}
