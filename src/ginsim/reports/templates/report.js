"use strict";
document.documentElement.classList.add("has-script");
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const read = (row, place) => {
    const cell = row.cells[place];
    return cell.dataset.key === undefined ? cell.textContent : Number(cell.dataset.key);
  };
  const compare = (one, other) => {
    if (typeof one === "number" && typeof other === "number") return one - other;
    // Without a value: last.
    if (typeof one === "number") return -1;
    if (typeof other === "number") return 1;
    return one.localeCompare(other, "en", { numeric: true });
  };
  heads.forEach((head, place) => {
    const button = document.createElement("button");
    button.type = "button";
    // Its unit stays below.
    button.append(head.firstChild);
    head.prepend(button);
    button.addEventListener("click", () => {
      const rising = head.getAttribute("aria-sort") !== "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", rising ? "ascending" : "descending");
      const rows = [...body.rows];
      rows.sort((one, other) => {
        const [first, second] = [read(one, place), read(other, place)];
        const known = typeof first === typeof second;
        return rising || !known ? compare(first, second) : compare(second, first);
      });
      body.append(...rows);
    });
  });
}
