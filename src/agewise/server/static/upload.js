// Says before anything is sent that files are too large; the server would say the same, later.
(() => {
  const form = document.querySelector("form.upload[data-most]");
  if (!form) return;
  const problem = document.getElementById("upload-problem");
  form.addEventListener("submit", (event) => {
    const files = [...form.querySelectorAll("input[type=file]")].flatMap((i) => [...i.files]);
    const bytes = files.reduce((sum, file) => sum + file.size, 0);
    const most = Number(form.dataset.most);
    if (bytes > most) {
      event.preventDefault();
      problem.textContent =
        `The files have ${Math.round(bytes / 1e6)} MB, and an upload may have ${most / 1e6} MB. ` +
        "Send a shorter record, a Parquet file, or a gzipped CSV.";
      problem.hidden = false;
      return;
    }
    form.querySelector("button").textContent = "Sending …";
  });
})();
