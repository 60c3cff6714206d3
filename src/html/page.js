// Without this script the page is all there; it follows the system's theme.
(function () {
  var root = document.documentElement, button = document.getElementById("theme");
  var dark = matchMedia("(prefers-color-scheme: dark)");
  function isDark() {
    return root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
  }
  function label() {
    button.textContent = isDark() ? "Light theme" : "Dark theme";
  }
  button.hidden = false;
  button.onclick = function () {
    root.dataset.theme = isDark() ? "light" : "dark";
    label();
  };
  dark.addEventListener("change", label);
  label();
  // On paper everything is open.
  var closed = [];
  addEventListener("beforeprint", function () {
    closed = Array.from(document.querySelectorAll("details:not([open])"));
    closed.forEach(function (d) { d.open = true; });
  });
  addEventListener("afterprint", function () {
    closed.forEach(function (d) { d.open = false; });
  });
})();
