// Light or dark: the system's choice, unless the visitor has chosen otherwise on this machine.
(() => {
  const root = document.documentElement;
  const kept = localStorage.getItem("agewise-theme");
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;

  const isDark = () =>
    root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const name = () => {
      button.textContent = isDark() ? "Light" : "Dark";
      button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
    };
    name();
    button.addEventListener("click", () => {
      root.dataset.theme = isDark() ? "light" : "dark";
      localStorage.setItem("agewise-theme", root.dataset.theme);
      name();
      document.dispatchEvent(new Event("agewise-theme"));
    });
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      name();
      document.dispatchEvent(new Event("agewise-theme"));
    });
  });
})();
