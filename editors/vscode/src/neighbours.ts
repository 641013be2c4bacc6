// Other extensions that serve Gherkin: where one is active, what both would do is left to it.

export type Feature = "completion" | "definition" | "symbols";

/** Ids of extensions, and what they do for feature files. */
const OTHERS: readonly (readonly [id: string, features: readonly Feature[]])[] = [
  ["CucumberOpen.cucumber-official", ["completion", "definition", "symbols"]],
  ["alexkrechik.cucumberautocomplete", ["completion", "definition"]],
];

export type Switch = "auto" | "on" | "off";

/** Whether a feature is on; `auto` is on unless another extension has it. */
export function isOn(feature: Feature, value: Switch | undefined, isActive: (id: string) => boolean): boolean {
  if (value === "on" || value === "off") return value === "on";
  return !OTHERS.some(([id, features]) => features.includes(feature) && isActive(id));
}
