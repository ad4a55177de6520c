import { type Html, html } from '../../../platform/html/html.ts'
import { setTopic, tagsInUse } from '../../../marketing/subscribers/topics.ts'
import { actorOf } from '../frame/actor.ts'
import { go, page } from '../frame/page.ts'
import { idOf } from '../parts/forms/fields.ts'
import { counted } from '../parts/pager.ts'
import { warning } from '../parts/press-message.ts'
import { tag as tagPart } from '../parts/tags.ts'
import type { OfficeWork, VenuePage } from '../frame/serve-page.ts'
import { subscriberTabs } from './list.ts'

const home = '/office/subscribers'
const here = `${home}/topics`

/** The venue's tags, and which of them guests may choose. For managers. */
export const topicsPages: readonly VenuePage[] = [
  {
    method: 'GET',
    path: here,
    role: 'manager',
    answer: async (work) => page('Tags and topics', await topicsBody(work)),
  },
  {
    method: 'POST',
    path: `${here}/:id`,
    role: 'manager',
    answer: async (work, { params, form }) => {
      const topic = form.text('topic') === 'yes'
      const { name } = await setTopic(work, actorOf(work.me), { tag: idOf(params.id, 'tag'), topic })
      return go(here, topic ? `Guests can now choose “${name}”.` : `Guests can no longer choose “${name}”.`)
    },
    again: async (_work, _asked, { message }) => go(here, warning(message)),
  },
]

const topicsBody = async (work: OfficeWork): Promise<Html> => {
  const tags = await tagsInUse(work.db, work.venue.id)
  return html`<div class="page-head">
      <h1>Subscribers</h1>
      <a class="button primary" href="${home}/new">Add a subscriber</a>
    </div>
    ${await subscriberTabs(work, here)}
    <div class="stack">
      <section class="card">
        <p class="soft">
          A tag guests may choose is a topic: they see its name on their preferences page, where they can turn it on and off. Anyone who turned it off gets no campaign for that tag, even if staff or an import adds the tag. All other tags are private; guests never see them.
        </p>
      </section>
      <section class="card list-card">
        ${
          tags.length === 0
            ? html`<p class="empty">No tags yet. They are added with subscribers.</p>`
            : html`<ul class="rows">
                ${tags.map(
                  ({ id, name, topic, people, refused }) =>
                    html`<li>
                      <div class="grow">
                        <a class="row-link breaks" href="${home}?tag=${id}">${name}</a>
                        <span class="small soft"
                          >${counted(people, 'subscriber')}${refused > 0 && `, ${counted(refused, 'person', 'people')} turned it off`}</span
                        >
                      </div>
                      ${topic && tagPart('topic', 'accent')}
                      <form method="post" action="${here}/${id}">
                        <button name="topic" value="${topic ? 'no' : 'yes'}">
                          ${topic ? 'Hide from guests' : 'Let guests choose it'}<span class="hidden-text">: ${name}</span>
                        </button>
                      </form>
                    </li>`,
                )}
              </ul>`
        }
      </section>
    </div>`
}
