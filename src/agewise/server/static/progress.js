// Asks how far an upload is, and shows the page of its end when it is over.
(() => {
  const SECONDS = 1;
  const progress = document.getElementById("progress");
  const sentence = document.getElementById("sentence");
  const ask = async () => {
    let upload;
    try {
      const answer = await fetch(progress.dataset.upload);
      upload = answer.ok ? await answer.json() : null;
    } catch {
      upload = null; // the server does not answer for the moment
    }
    if (upload && ["done", "refused", "failed"].includes(upload.stage)) {
      location.reload();
      return;
    }
    if (upload && upload.stage !== progress.dataset.stage) {
      progress.dataset.stage = upload.stage;
      sentence.textContent = upload.sentence;
      for (const item of progress.querySelectorAll("li[data-stage]")) {
        if (item.dataset.stage === upload.stage) item.setAttribute("aria-current", "step");
        else item.removeAttribute("aria-current");
      }
    }
    setTimeout(ask, 1000 * SECONDS);
  };
  setTimeout(ask, 1000 * SECONDS);
})();
