// One aspect as a row that can be dragged: it only stops at the values that are possible.
// Reports "slide" with the place of each value that it passes, and "settle" where it comes to rest. All text is text.
const FINE = 1000; // the row is this many points long

export default {
  template: `
    <div class="slider" :class="{ changed: at !== now }">
      <div class="slider-head">
        <span class="slider-name" dir="auto">{{ name }}</span>
        <span class="slider-values number">{{ values }}</span>
      </div>
      <div class="slider-track">
        <span class="slider-way" aria-hidden="true" :style="way"></span>
        <span class="tick tick-now" :style="{ left: along(now) }" aria-hidden="true"></span>
        <span v-if="hasGoal" class="tick tick-goal" :style="{ left: along(goal) }" aria-hidden="true"></span>
        <input
          type="range" min="0" :max="fine" step="1" ref="input"
          :aria-label="label" :aria-valuetext="spoken"
          @input="dragged" @change="settled" @keydown="pressed"
        />
      </div>
      <div class="slider-scale small" aria-hidden="true">
        <span v-for="end in ends" :key="end.place" class="end number" :class="end.side" :style="{ left: part(end.place) }">{{ end.text }}</span>
        <span v-if="hasGoal" class="goal-label" :class="goalSide" :style="{ left: along(goal) }">{{ goalLabel }}</span>
      </div>
      <p class="slider-note small" aria-hidden="true">{{ note }}</p>
    </div>
  `,
  props: {
    name: String,
    label: String, // for those who hear the page
    places: Array, // where each value lies, from 0 to 1
    shown: Array, // each value, for people
    notes: Array, // what it would take to get there
    scale: String,
    absent: Number, // the place of the value that is not on the scale; −1: none
    now: Number, // the place of the value as it is
    value: Number, // the place of the value that it begins with
    goal: Number, // the place of the value that the answer gives it; −1: none
    goalLabel: String,
    ends: Array,
  },
  data() {
    return { at: this.value, fine: FINE };
  },
  mounted() {
    this.snap();
  },
  computed: {
    hasGoal() {
      return this.goal >= 0 && this.goal !== this.now;
    },
    values() {
      const after = this.at === this.now && this.hasGoal ? this.goal : this.at;
      const said = after === this.now ? this.shown[this.now] : `${this.shown[this.now]} → ${this.shown[after]}`;
      return this.scaled(said, after);
    },
    note() {
      return this.notes[this.at] || "";
    },
    spoken() {
      return [this.scaled(this.shown[this.at], this.at), this.notes[this.at]].filter(Boolean).join(", ");
    },
    goalSide() {
      return this.places[this.goal] < 0.35 ? "rightwards" : this.places[this.goal] > 0.65 ? "leftwards" : "";
    },
    way() {
      const [from, to] = [this.places[this.now], this.places[this.at]].sort((a, b) => a - b);
      return { left: this.part(from), right: `calc(100% - ${this.part(to)})` };
    },
  },
  methods: {
    scaled(said, at) {
      return this.scale && at !== this.absent ? `${said} ${this.scale}` : said;
    },
    part(place) {
      // the middle of the thumb does not reach the ends of the row
      return `calc(var(--thumb) / 2 + (100% - var(--thumb)) * ${place})`;
    },
    along(at) {
      return this.part(this.places[at]);
    },
    snap() {
      this.$refs.input.value = Math.round(this.places[this.at] * FINE);
    },
    put(at) {
      this.at = at;
      this.snap();
    },
    nearest(place) {
      let best = 0;
      this.places.forEach((other, at) => {
        if (Math.abs(other - place) < Math.abs(this.places[best] - place)) best = at;
      });
      return best;
    },
    move(at) {
      const within = Math.min(Math.max(at, 0), this.places.length - 1);
      const moved = within !== this.at;
      this.put(within);
      if (moved) this.$emit("slide", within);
      return moved;
    },
    dragged(event) {
      this.move(this.nearest(Number(event.target.value) / FINE));
    },
    settled() {
      this.snap();
      this.$emit("settle", this.at);
    },
    pressed(event) {
      const steps = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -3, PageUp: 3 };
      const ends = { Home: 0, End: this.places.length - 1 };
      if (!(event.key in steps) && !(event.key in ends)) return;
      event.preventDefault();
      if (this.move(event.key in ends ? ends[event.key] : this.at + steps[event.key])) this.$emit("settle", this.at);
    },
  },
};
