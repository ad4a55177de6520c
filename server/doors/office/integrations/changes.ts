import { type Html, html } from '../../../platform/html/html.ts'
import { type ApiChanges, setChangesByApi } from '../../../book/rules/changes-by-api.ts'
import { actorOf } from '../frame/actor.ts'
import { go } from '../frame/page.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { tickField } from '../parts/forms/fields.ts'

const home = '/office/integrations'

/** Whether integrations may change confirmed bookings by themselves. */
export const changesPages: readonly VenuePage[] = [
  {
    method: 'POST',
    path: `${home}/changes`,
    role: 'owner',
    answer: async (work, { form }) => {
      const chosen = form.text('direct') === 'yes' ? 'direct' : 'ask'
      await setChangesByApi(work, actorOf(work.me), chosen)
      return go(home, chosen === 'direct' ? 'Changes apply at once.' : 'Changes wait for an answer.')
    },
  },
]

export const changesPart = (chosen: ApiChanges): Html =>
  html`<section class="card">
    <header><h2>Changes to confirmed bookings</h2></header>
    <p class="soft">
      When software asks for another time or more guests, the booking keeps its table and the change waits for an answer under Today.
    </p>
    <form class="form" method="post" action="${home}/changes">
      ${tickField(
        { typed: { direct: chosen === 'direct' ? 'yes' : '' } },
        { name: 'direct', label: 'Apply changes at once if every booking rule allows them' },
      )}
      <div><button>Save</button></div>
    </form>
  </section>`
