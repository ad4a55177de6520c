import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compileMail } from './compile-mail.ts'
import { nameCampaign } from './name-campaign.ts'

const pages = 'https://book.example.com/v/blue-door'
const named = { pages, campaign: 12 }
const mail = (bodyHtml: string, bodyText = '') => ({
  ...{ subject: 'News', preheader: '', bodyHtml, bodyText, bodyFormat: 'guided' as const },
})
const htmlOf = (bodyHtml: string): string => nameCampaign(mail(bodyHtml), named).bodyHtml

describe('links of a campaign', () => {
  it('to the venue’s own pages name the campaign', () => {
    assert.equal(htmlOf(`<a href="${pages}">Come</a>`), `<a href="${pages}?utm_campaign=c12">Come</a>`)
    assert.equal(
      htmlOf(`<p><a class="x" href="${pages}/book?size=2&amp;date=2026-10-09#times">Book</a></p>`),
      `<p><a class="x" href="${pages}/book?size=2&amp;date=2026-10-09&amp;utm_campaign=c12#times">Book</a></p>`,
    )
  })

  it('elsewhere, of another venue or that name a campaign already stay as they are', () => {
    for (const html of [
      '<a href="https://www.example.com/v/blue-door">Elsewhere</a>',
      `<a href="${pages}s/book">Another</a>`,
      `<a href="${pages}/book?utm_campaign=spring">Named</a>`,
      `<a href="{{unsubscribeUrl}}">Leave</a>`,
      `<p>${pages} <img src="${pages}/x.png" alt="" /></p>`,
    ])
      assert.equal(htmlOf(html), html)
  })

  it('in plain text name it too, and the sign that ends the sentence stays outside', () => {
    const { bodyText } = nameCampaign(
      mail('', `Book at ${pages}/book. Or <${pages}?lang=es>, see https://x.example`),
      named,
    )
    assert.equal(
      bodyText,
      `Book at ${pages}/book?utm_campaign=c12. Or <${pages}?lang=es&utm_campaign=c12>, see https://x.example`,
    )
  })

  it('are in both parts of the mail that is sent', () => {
    const venue = { name: 'The Blue Door', postalAddress: null, phone: null }
    const template = compileMail(nameCampaign(mail(`<p><a href="${pages}/book">Book</a></p>`), named), venue)
    const person = {
      firstName: null,
      unsubscribeUrl: 'https://x.example/u',
      preferencesUrl: 'https://x.example/p',
    }
    for (const text of [template.htmlFor(person), template.textFor(person)])
      assert.ok(text.includes(`${pages}/book?utm_campaign=c12`), text)
  })
})
