// One aspect as a row that can be dragged: it only stops at the values that are possible.
// Reports "slide" with the place of each value that it passes, and "settle" where it ends.
const FINE = 1000; // the row is this many points long

export default {
  template: `
    <div class="slider" :class="{ changed: at !== now }">
      <div class="slider-track">
        <span class="tick tick-now" :style="{ left: along(now) }" aria-hidden="true"></span>
        <span v-if="goal !== null" class="tick tick-goal" :style="{ left: along(goal) }" aria-hidden="true"></span>
        <input
          type="range" min="0" :max="fine" step="1" ref="input"
          :aria-label="label" :aria-valuetext="spoken"
          @input="dragged" @change="settled" @keydown="pressed"
        />
      </div>
      <div class="slider-scale" aria-hidden="true">
        <span v-for="end in ends" :key="end.text" class="end number" :style="{ left: end.left }">{{ end.text }}</span>
        <span v-if="goal !== null" class="goal-label" :class="goalSide" :style="{ left: along(goal) }">{{ goalLabel }}</span>
      </div>
    </div>
  `,
  props: {
    label: String,
    places: Array, // where each value lies, from 0 to 1
    shown: Array, // each value, for people
    notes: Array, // what it would take to get there
    scale: String,
    now: Number,
    value: Number, // the place of the value that is set
    goal: { type: Number, default: null },
    goalLabel: String,
    ends: Array,
  },
  data() {
    return { at: this.value, fine: FINE };
  },
  mounted() {
    this.snap();
  },
  watch: {
    value(at) {
      this.at = at;
      this.snap();
    },
  },
  computed: {
    spoken() {
      return [this.shown[this.at], this.scale, this.notes[this.at]].filter(Boolean).join(" ");
    },
    goalSide() {
      return this.places[this.goal] < 0.3 ? "rightwards" : this.places[this.goal] > 0.7 ? "leftwards" : "";
    },
  },
  methods: {
    along(at) {
      // the middle of the thumb does not reach the ends of the row
      return `calc(var(--thumb) / 2 + (100% - var(--thumb)) * ${this.places[at]})`;
    },
    snap() {
      this.$refs.input.value = Math.round(this.places[this.at] * FINE);
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
      this.at = within;
      this.snap();
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
