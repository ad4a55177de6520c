import { html } from '../../../platform/html/html.ts'

/** What this device does by itself at the door; kept on it, by script, and so shown by script only. */
export const deviceCard = html`<section class="card" id="device" hidden>
  <h2>This device</h2>
  <p class="soft">
    For a tablet at the door. Install this page from the browser’s menu (“Add to Home Screen”) to use it full screen.
  </p>
  <label class="check"
    ><input type="checkbox" data-keeps="awake" /><span
      >Keep the screen on while Service or Floor is open</span
    ></label
  >
  <label class="check"
    ><input type="checkbox" data-keeps="news" /><span
      >Show a line and play a sound for new bookings, cancellations, and guests on their way</span
    ></label
  >
  <p class="hint" data-only="http" hidden>
    This page was opened over plain HTTP. Installing it and keeping the screen on need HTTPS.
  </p>
  <p class="hint" data-only="unable" hidden>This browser cannot keep the screen on.</p>
</section>`
