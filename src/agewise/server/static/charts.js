// Draws the charts of a page from their numbers, in the colours of the page's style sheet.
(() => {
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
  const faint = (hex, share) => {
    const value = parseInt(hex.slice(1), 16);
    return `rgba(${value >> 16}, ${(value >> 8) & 255}, ${value & 255}, ${share})`;
  };
  // Told apart by colour-blind readers too: the palette of Okabe and Ito.
  const CYCLE = ["chart-1", "chart-2", "chart-3", "chart-4", "chart-5", "chart-6"];
  // Matplotlib's inferno, as the report's maps have it.
  const INFERNO = ["#000004", "#1f0c48", "#550f6d", "#88226a", "#ba3655", "#e35933", "#f98e09", "#f9cb35", "#fcffa4"].map(
    (hue, index, all) => [index / (all.length - 1), hue],
  );
  const axis = (kind, panel) => (panel ? `${kind}${panel + 1}` : kind);

  const band = (series, low, high, hue, share, shared, sideways) => {
    const edge = (values) => (sideways ? { x: values, y: series.y } : { x: series.x, y: values });
    const unseen = { mode: "lines", line: { width: 0 }, hoverinfo: "skip", showlegend: false, ...shared };
    return [
      { ...edge(low), ...unseen },
      { ...edge(high), ...unseen, fill: sideways ? "tonextx" : "tonexty", fillcolor: faint(hue, share) },
    ];
  };

  const traces = (chart) =>
    chart.series.flatMap((series, index) => {
      const hue = colour(series.tone === "other" ? CYCLE[index % CYCLE.length] : `chart-${series.tone}`);
      const sideways = chart.band_direction === "x";
      const shared = {
        type: "scatter",
        legendgroup: `${series.name}${index}`,
        visible: series.hidden ? "legendonly" : true,
        xaxis: "x",
        yaxis: axis("y", series.panel),
      };
      const outer = series.low ? band(series, series.low, series.high, hue, 0.22, shared, sideways) : [];
      const inner = series.inner_low
        ? band(series, series.inner_low, series.inner_high, hue, 0.5, shared, sideways)
        : [];
      const line = {
        ...shared,
        x: series.x,
        y: series.y,
        name: series.name,
        mode: "lines",
        line: { color: hue, width: series.tone === "measured" ? 1 : 1.6, shape: series.steps ? "hv" : "linear" },
        connectgaps: false,
      };
      return [...outer, ...inner, line];
    });

  const bars = (chart) =>
    chart.bars
      ? [{ type: "bar", x: chart.bars.x, y: chart.bars.y, name: chart.bars.name, marker: { color: colour(`chart-${chart.bars.tone}`) }, xaxis: "x", yaxis: "y" }]
      : [];

  const heat = (chart, narrow) =>
    chart.heat
      ? [{
          type: "heatmap", x: chart.heat.x, y: chart.heat.y, z: chart.heat.z, colorscale: INFERNO,
          colorbar: { title: { text: chart.heat.unit }, thickness: 12, ...(narrow ? { orientation: "h", y: -0.35 } : {}) },
          hovertemplate: `%{x}, %{y} m: %{z} ${chart.heat.unit}<extra></extra>`,
        }]
      : [];

  const levels = (chart) =>
    chart.levels.map((level) => ({
      type: "line", xref: "paper", x0: 0, x1: 1, yref: axis("y", level.panel), y0: level.value, y1: level.value,
      line: { color: colour("ink"), width: 1, dash: "dash" },
    }));

  const names = (chart) =>
    chart.levels.map((level) => ({
      xref: "paper", x: 1, xanchor: "right", yref: axis("y", level.panel), y: level.value, yanchor: "bottom",
      text: `${level.name}, ${level.value} °C`, showarrow: false, font: { size: 11, color: colour("ink") },
    }));

  const layout = (chart, narrow) => {
    const count = chart.y_titles.length;
    const gap = 0.06;
    const height = (1 - gap * (count - 1)) / count;
    const look = { color: colour("ink"), gridcolor: colour("line"), zerolinecolor: colour("line"), automargin: true };
    const made = {
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: colour("ink"), family: getComputedStyle(document.body).fontFamily, size: narrow ? 11 : 12 },
      margin: { l: narrow ? 44 : 60, r: 12, t: 8, b: 44 },
      hovermode: chart.band_direction === "x" || chart.heat ? "closest" : "x unified",
      hoverlabel: { bgcolor: colour("ground"), font: { color: colour("ink") } },
      showlegend: !chart.heat,
      legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0 },
      shapes: levels(chart),
      annotations: names(chart),
      xaxis: { ...look, title: { text: chart.x_title }, anchor: axis("y", count - 1) },
      dragmode: narrow ? false : "zoom",
    };
    chart.y_titles.forEach((title, panel) => {
      const top = 1 - panel * (height + gap);
      made[panel ? `yaxis${panel + 1}` : "yaxis"] = { ...look, title: { text: title }, domain: [Math.max(0, top - height), top] };
    });
    return made;
  };

  const draw = (place, chart) => {
    const narrow = place.clientWidth < 520;
    const data = [...heat(chart, narrow), ...bars(chart), ...traces(chart)];
    const options = { responsive: true, displaylogo: false, modeBarButtonsToRemove: ["lasso2d", "select2d"] };
    Plotly.react(place, data, layout(chart, narrow), options);
  };

  const show = async (place) => {
    const figure = place.closest("figure");
    const caption = figure.querySelector("figcaption");
    try {
      const answer = await fetch(place.dataset.chart);
      if (!answer.ok) throw new Error((await answer.json()).error);
      const chart = await answer.json();
      caption.textContent = chart.caption;
      place.setAttribute("role", "group"); // not an image: its buttons and legend can be reached
      place.setAttribute("aria-label", chart.alternative);
      draw(place, chart);
      document.addEventListener("agewise-theme", () => draw(place, chart));
      place.dataset.drawn = "true";
    } catch (error) {
      caption.textContent = `This chart cannot be drawn. ${error.message}`;
    }
  };

  for (const place of document.querySelectorAll("[data-chart]")) show(place);
})();
