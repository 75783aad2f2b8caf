// A user's list: items move to their new places when the list is ranked anew. All text is text.
export default {
  template: `
    <transition-group tag="ol" name="ranked" class="ranked" :aria-label="label">
      <li v-for="entry in entries" :key="entry.key" :class="entry.classes">
        <span v-if="entry.cut" class="cut-line">{{ entry.cut }}</span>
        <span v-else-if="entry.gap" class="gap" aria-hidden="true">⋮</span>
        <a v-else :href="prefix + entry.href" :aria-current="entry.chosen ? 'true' : null">
          <span class="place number">{{ entry.position }}</span>
          <span class="name" dir="auto">{{ entry.name }}</span>
          <span v-if="entry.movement" class="movement number">{{ entry.movement }}</span>
        </a>
      </li>
    </transition-group>
  `,
  props: {
    rows: Array, // position, id, name, href, listed, chosen, movement
    cut: String,
    label: String,
  },
  data: () => ({ prefix: "" }),
  mounted() {
    setTimeout(() => (this.prefix = window.path_prefix || ""), 0); // set when the whole page is mounted
  },
  computed: {
    entries() {
      const found = [];
      let last = 0;
      let cut = false;
      for (const row of this.rows) {
        if (!row.listed && !cut) {
          cut = true;
          found.push({ key: "cut", cut: this.cut, classes: ["cut"] });
        } else if (row.position > last + 1 && last) {
          found.push({ key: "gap", gap: true, classes: ["between"] });
        }
        last = row.position;
        const classes = [row.listed ? "listed" : "below", row.chosen ? "chosen" : "", row.moved ? "moved" : ""];
        found.push({ ...row, key: "item " + row.id, classes });
      }
      return found;
    },
  },
};
