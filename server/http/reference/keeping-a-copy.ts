import { endpoints } from '@venue-data/contract/endpoints.ts'
import { limits } from '@venue-data/contract/limits.ts'
import { html } from '../../html/html.ts'
import { type Chapter, chapter } from './chapter.ts'
import { panel } from './samples.ts'

/** How to keep a copy of the venue's records elsewhere, and what version 1 leaves out. */
export const keepingACopy = (baseUrl: string): Chapter =>
  chapter(
    'keeping-a-copy',
    'Keeping a copy in sync',
    html`
      <p>
        <a href="#list-changes">Follow the changes</a>: the same call is the first copy and what comes after it, with edits,
        merges, deletions and erasures, and nothing between the two is missed.
      </p>
      <ol>
        <li>
          <strong>First copy.</strong> Ask without <code>after</code>, then with <code>next</code> while
          <code>more</code> is true.
        </li>
        <li>
          <strong>Stay in step.</strong> Go on with the same <code>next</code>, now and then or with
          <code>wait</code>. Store a record unless yours has a higher <code>revision</code>; drop it where
          <code>data</code> is <code>null</code>. Store the cursor together with the records.
        </li>
        <li>
          <strong>After an outage</strong> go on from the stored cursor. On 410 read everything from the beginning, and
          drop what does not come again.
        </li>
      </ol>
      <h3 class="minor">Without the feed</h3>
      <p>Lists tell you what is new, webhooks tell you what changed. A copy kept that way needs both.</p>
      <ol>
        <li>
          <strong>Listen first.</strong> <a href="#create-webhook">Add an endpoint</a>, and store each record
          it delivers under its kind and <code>data.id</code>, with the delivery’s <code>occurredAt</code>,
          unless your copy is from a later moment.
        </li>
        <li>
          <strong>Then load.</strong> Call each list with <code>limit=${limits.listMost}</code> and follow
          <code>Link</code> to its end. Treat what
          a list returns as of the moment you called, minus a minute in case your clock is ahead of ours; the
          same rule applies.
        </li>
        <li>
          <strong>Keep asking.</strong> Every few minutes, call each list with
          <code>limit=${limits.listMost}</code> and <code>since</code> a few minutes before the newest
          <code>createdAt</code> you have. The overlap is necessary: a record becomes visible when its
          transaction ends, slightly after its <code>createdAt</code>. Skip the ids you already have.
        </li>
        <li>
          <strong>After an outage</strong> of your endpoint, load the lists again as in the second step, and this
          time do not skip what you have: deliveries older than ${limits.deliveryHours} hours are gone.
          <code>updatedSince</code> leaves out what has not changed for longer than that.
        </li>
      </ol>
      <h3 class="minor">What lists and webhooks cannot do</h3>
      <ul>
        <li>
          <strong>Edits are not all sent.</strong> By webhook you get those that
          <a href="#events">an event</a> names; for the others ask the lists with <code>updatedSince</code>.
        </li>
        <li>
          <strong>Merges and erasures send no event, and few deletions do.</strong> A reservation that staff
          delete is sent as <code>reservation.cancelled</code>, and no list or find returns it anymore. A guest merged into
          another, or any other deleted record, just stops appearing in lists and finds; <a href="#get-guest">reading it</a> by its id says
          for ${limits.tombstoneDays} days what became of it. When the
          venue asks you to delete a person, delete them on your side too.
        </li>
        <li>
          <strong>Reservations:</strong> changes of time, size, status, arrival and seating send an event. A
          new name, phone, email or request does not, and <code>updatedAt</code> in lists reflects only
          arrival, seating and cancellation.
        </li>
        <li>
          <strong>Guests:</strong> only a new guest sends an event. Later edits and visit counts do not.
        </li>
        <li>
          <strong>Subscribers:</strong> joining and leaving send an event. A sign-up waiting for confirmation,
          a bounced address, and a new first name or birthday do not. Before you email somebody yourself, check
          that no <code>subscriber.unsubscribed</code> has arrived for them.
        </li>
        <li>
          <strong>Ticket orders:</strong> payments and refunds send an event. An unpaid sale, a
          cancelled order and a failed refund do not.
        </li>
        <li>
          <strong>Waitlist:</strong> joining and being seated send an event. A quote, a page and leaving
          unseated do not.
        </li>
        <li>
          <strong>Leads:</strong> only a new lead sends an event. Its stage, its priority and edits do not.
        </li>
        <li>
          <strong>Tasks and campaigns</strong> have no events; the feed has them.
        </li>
      </ul>
    `,
    [
      panel(
        'From the beginning',
        `curl "${baseUrl}${endpoints.listChanges.path}?limit=${limits.changesMost}" \\\n  -H "X-Service-Key: $API_KEY"`,
      ),
      panel(
        'What comes next',
        `curl "${baseUrl}${endpoints.listChanges.path}?after=$NEXT&wait=20" \\\n  -H "X-Service-Key: $API_KEY"`,
      ),
      panel(
        'Without the feed: first, for each list',
        `curl "${baseUrl}${endpoints.listReservations.path}?limit=${limits.listMost}" \\\n  -H "X-Service-Key: $API_KEY"`,
      ),
      panel(
        'Then every few minutes',
        `curl "${baseUrl}${endpoints.listReservations.path}?limit=${limits.listMost}&since=$A_LITTLE_BEFORE_THE_NEWEST" \\\n  -H "X-Service-Key: $API_KEY"`,
      ),
    ],
  )
