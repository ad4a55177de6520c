import { type Html, html } from '../../../platform/html/html.ts'
import { tableShapes } from '../../../book/rules/floor/floor.ts'
import { featuresOf } from '../../../book/day/wished-features.ts'
import type { WrittenFloor } from '../../../book/rules/floor/written-floor.ts'
import { documentBounds } from '../../../book/rules/rules-document-bounds.ts'

/*
 * The rooms as drawings: tables are dragged or moved by arrow keys, copied, aligned, renamed. A script fills it in from
 * the lines below and writes each change back into them, so what is saved, checked and refused is the same form. Without
 * the script, and on a phone, there are the lines alone.
 */

/** The form that the editor fills in. */
export const tablesFormId = 'tables-form'

export const editorCard = (floor: WrittenFloor): Html =>
  html`<section id="editor" class="card room-editor" aria-labelledby="editor-head" hidden>
    <div class="editor-head">
      <h2 id="editor-head">Rooms</h2>
      <div class="rooms" role="group" aria-label="Room" data-rooms></div>
    </div>
    <div class="editor-tools" role="group" aria-label="Tools">
      <button type="button" data-do="add">New table</button>
      <button type="button" data-do="copy">Copy</button>
      <button type="button" data-do="left">Align left</button>
      <button type="button" data-do="top">Align top</button>
      <button type="button" data-do="spread">Space evenly</button>
      <button type="button" data-do="join">Join</button>
      <button type="button" data-do="wall">Wall</button>
      <button type="button" data-do="door">Door</button>
      <button type="button" data-do="bar">Bar</button>
      <button type="button" data-do="remove" class="danger">Remove</button>
      <button type="button" data-do="undo">Undo</button>
      <button class="primary" form="${tablesFormId}">Save</button>
    </div>
    <p class="small soft" data-says role="status">
      Drag a table, or press it and use the arrow keys. Hold Shift to choose several.
    </p>
    <p class="hint" data-crowd hidden>Some tables overlap: the floor shows this room as a list until you move them apart.</p>
    <div class="editor-body">
      <div class="board"><div class="canvas" role="group" aria-label="Tables of the room" data-canvas></div></div>
      <div class="editor-side form">
        <h3 data-chosen>No table chosen</h3>
        <div class="fields">
          <label class="field"
            ><span>Label</span><input data-field="label" maxlength="${documentBounds.label}" autocomplete="off"
          /></label>
          <label class="field"
            ><span>Room</span><input data-field="room" maxlength="${documentBounds.name}" list="editor-rooms" autocomplete="off"
          /></label>
          ${seats('least', 'Fewest guests')} ${seats('most', 'Most guests')}
          <label class="field"
            ><span>Shape</span
            ><select data-field="shape">
              ${tableShapes.map((shape) => html`<option>${shape}</option>`)}
            </select></label
          >
          <label class="field"
            ><span>Priority</span><input data-field="priority" type="number" autocomplete="off" /><small>Lower numbers are assigned first.</small></label
          >
          <label class="field wide"
            ><span>Features</span><input data-field="features" list="editor-features" autocomplete="off" placeholder="window; booth"
          /></label>
        </div>
        <label class="check"><input type="checkbox" data-field="online" /> <span>Guests can book it online</span></label>
        <div class="fields">
          ${steps('wide', 'Wide, in steps')} ${steps('high', 'High, in steps')}
        </div>
        <datalist id="editor-rooms" data-room-names></datalist>
        <datalist id="editor-features">${featuresOf(floor.tables).map((one) => html`<option value="${one}"></option>`)}</datalist>
        <h3>Joined tables</h3>
        <ul class="rows" data-joins></ul>
      </div>
    </div>
  </section>`

/** How large a wall, a door or a bar is. */
const steps = (name: 'wide' | 'high', label: string): Html =>
  html`<label class="field"
    ><span>${label}</span
    ><input data-size="${name}" type="number" min="${documentBounds.drawnSteps[0]}" max="${documentBounds.drawnSteps[1]}" autocomplete="off"
  /></label>`

const seats = (name: 'least' | 'most', label: string): Html =>
  html`<label class="field"
    ><span>${label}</span
    ><input data-field="${name}" type="number" min="${documentBounds.seats[0]}" max="${documentBounds.seats[1]}" autocomplete="off"
  /></label>`
