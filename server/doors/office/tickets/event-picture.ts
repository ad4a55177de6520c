import type { Context } from '../../../context.ts'
import { type Logo, logoSize } from '../../../core/venue/logo/logo.ts'
import { type Asked, logoLimits } from '../../../core/venue/logo/read-logo.ts'
import { type Html, html } from '../../../platform/html/html.ts'
import {
  eventPicturePath,
  removeEventPicture,
  saveEventPicture,
} from '../../../tickets/online/event-picture.ts'
import { eventById } from '../../../tickets/event-reads.ts'
import { notFound } from '../../../platform/kernel/refusal.ts'
import { actorOf } from '../frame/actor.ts'
import { go } from '../frame/page.ts'
import type { VenuePage } from '../frame/serve-page.ts'
import { idOf } from '../parts/forms/fields.ts'
import { withPicture } from '../parts/forms/picture-upload.ts'

const events = '/office/tickets/events'

/** Programs that show links show no SVG. */
const asked: Asked = { name: 'The picture', withSvg: false }

/** The picture of an event's page: uploaded and taken off apart from its other fields. */
export const eventPicturePages = (context: Context): readonly VenuePage[] => [
  {
    method: 'POST',
    path: `${events}/:id/picture`,
    role: 'manager',
    upload: true,
    answer: async ({ venue, me, now }, { params, upload }) => {
      const id = idOf(params.id, 'event')
      if (!(await eventById(context.db.within(venue.id), venue.id, id))) throw notFound('event')
      return withPicture(upload, asked, {
        back: `${events}/${id}`,
        done: 'Picture saved. The event’s page shows it now.',
        save: (picture) =>
          context.db.transaction((queries) =>
            saveEventPicture({ db: queries.within(venue.id), venue, now }, actorOf(me), id, picture),
          ),
      })
    },
  },
  {
    method: 'POST',
    path: `${events}/:id/picture/remove`,
    role: 'manager',
    answer: async (work, { params }) => {
      const id = idOf(params.id, 'event')
      await removeEventPicture(work, actorOf(work.me), id)
      return go(`${events}/${id}`, 'Picture removed.')
    },
  },
]

/** The picture there is, another one to choose, and the button that takes it off. */
export const pictureFields = (
  { slug }: { readonly slug: string },
  event: number,
  picture: Logo | undefined,
): Html => {
  const home = `${events}/${event}/picture`
  const size = picture && logoSize(picture, 120)
  return html`<div class="stack" id="picture">
    ${
      picture &&
      size &&
      html`<img src="${eventPicturePath(slug, picture)}" width="${size.width}" height="${size.height}" alt="The picture of the event’s page" />`
    }
    <form class="form" method="post" action="${home}" enctype="multipart/form-data">
      <label class="field"
        ><span>Picture</span><input type="file" name="file" accept=".png,.jpg,.jpeg" required /><small
          >PNG or JPEG, at most ${logoLimits.bytes / 1024} KB. Guests see it above the name, and so do those who share the page.</small
        ></label
      >
      <div><button>${picture ? 'Replace the picture' : 'Upload the picture'}</button></div>
    </form>
    ${
      picture &&
      html`<form method="post" action="${home}/remove" data-asks="Take the picture off the event’s page?">
        <button>Remove the picture</button>
      </form>`
    }
  </div>`
}
