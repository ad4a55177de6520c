import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bodyFormats } from '@venue-data/contract/records/campaign.ts'
import * as fc from 'fast-check'
import { cleanBody } from './clean.ts'
import { parseMergeTags } from './merge-tags.ts'
import { tokensOf } from './tokens.ts'

/** Ways past a filter that worked on one or another, and what only looks like one. */
const attacks = [
  '<script>alert(1)</script>',
  '<SCRIPT SRC=https://evil.org/x.js></SCRIPT>',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<<script>alert(1)//<</script>',
  '<script/x>alert(1)</script >',
  '<script>alert(1)',
  '<img src=x onerror=alert(1)>',
  '<img src=x onerror\n=\nalert(1)>',
  '<img/src=x/onerror=alert(1)>',
  '<img """><script>alert(1)</script>">',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<p onclick="alert(1)" ONLOAD=alert(1) onpointerrawupdate=alert(1)>x</p>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href="JaVaScRiPt:alert(1)">x</a>',
  '<a href=" \u0001javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href="&#106;&#x61;vascript&colon;alert(1)">x</a>',
  '<a href="javascript&#0000058alert(1)">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="data:text/html,<script>alert(1)</script>">x</a>',
  '<a href="DATA:text/html;base64,PHNjcmlwdD4=">x</a>',
  '<a href="file:///etc/passwd">x</a>',
  '<a href="//evil.org/">x</a>',
  '<a href="\\\\evil.org\\x">x</a>',
  '<a href="https://good.org\\@evil.org/">x</a>',
  '<a href="blob:https://evil.org/1">x</a>',
  '<a href="view-source:javascript:alert(1)">x</a>',
  '<a href="java{{firstName|script}}:alert(1)">x</a>',
  '<a href="{{firstName|javascript:alert(1)}}">x</a>',
  '<a href="{{venueName}}:alert(1)">x</a>',
  '<a href="{{unsubscribeUrl|javascript:alert(1)}}">x</a>',
  '<img src="javascript:alert(1)"><img src="data:image/svg+xml,<svg onload=alert(1)>">',
  '<img srcset="javascript:alert(1) 1x" lowsrc="javascript:alert(1)" dynsrc="javascript:alert(1)">',
  '<td background="javascript:alert(1)">x</td><body background="javascript:alert(1)">',
  '<iframe src="javascript:alert(1)"><script>alert(1)</script></iframe>',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;">',
  '<object data="javascript:alert(1)"><embed src="javascript:alert(1)"></object>',
  '<form action="https://evil.org/"><input name=card><button formaction="javascript:alert(1)">Pay</button></form>',
  '<meta http-equiv="refresh" content="0;url=https://evil.org/">',
  '<META HTTP-EQUIV=" ReFresh " CONTENT="0;url=javascript:alert(1)">',
  '<meta http-equiv="Set-Cookie" content="a=b">',
  '<meta name=" Referrer " content="unsafe-url">',
  '<base href="javascript:alert(1)//"><base href="https://evil.org/">',
  '<link rel="stylesheet" href="https://evil.org/x.css"><link rel=import href=data:text/html,x>',
  '<svg onload=alert(1)><script>alert(1)</script><a xlink:href="javascript:alert(1)">x</a></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg><animate attributeName=href values="#a;javascript:alert(1)"></svg>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math href="javascript:alert(1)">x</math>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<title><img title="</title><img src=x onerror=alert(1)>"></title>',
  '<style><img title="</style><img src=x onerror=alert(1)>"></style>',
  '<select><template><img src=x onerror=alert(1)></template></select>',
  '<plaintext><script>alert(1)</script>',
  '<!--><script>alert(1)</script>-->',
  '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
  '<!doctype html [<!entity x "<script>alert(1)</script>">]>&x;',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<?xml-stylesheet href="javascript:alert(1)"?><?php echo 1 ?>',
  '<style>@import "https://evil.org/x.css";@im\\70ort url(javascript:alert(1));</style>',
  '<style>p{background:url("javascript:alert(1)");x:expr/**/ession(alert(1));behavior:url(x.htc)}</style>',
  '<style>p{-moz-binding:url(https://evil.org/x#y);background:u\\72l(data:image/svg+xml,x)}</style>',
  '<style>@im@importport "x";ex/**/pression(1) java/**/script:x</style>',
  '<p style="background:url(javascript:alert(1));width:expression(alert(1))">x</p>',
  '<p style="width:e\\78pression(alert(1));x:\\75rl(data:x);behavior:url(#x)">x</p>',
  '<p style="color:red;position:fixed;top:0;inset:0;z-index:9">x</p>',
  '<p style="font-family:\'</p><script>alert(1)</script>\'">x</p>',
  '<p/style="color:red"/onclick=alert(1)//>x',
  '<a href="https://good.org/" target="_blank" ping="https://evil.org/">x</a>',
  '<video><source onerror=alert(1)></video><audio src onerror=alert(1)>',
  '<details open ontoggle=alert(1)>x</details><marquee onstart=alert(1)>x</marquee>',
  '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
  '<p __proto__="x" constructor="y" =onclick=alert(1)>x</p>',
  '<img src=https://good.org/a.png alt="&quot; onerror=&quot;alert(1)">',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '\u0000<scr\u0000ipt>alert(1)</script>',
  '\uFF1Cscript\uFF1Ealert(1)',
]

const mayRun = new Set([
  ...[
    'script',
    'iframe',
    'object',
    'embed',
    'applet',
    'form',
    'input',
    'button',
    'textarea',
    'select',
    'base',
  ],
  ...['link', 'svg', 'math', 'template', 'noscript', 'frame', 'frameset', 'video', 'audio', 'source', 'xmp'],
])

/** Reads what is clean with no trust in what cleaned it. */
const assertHarmless = (html: string): void => {
  for (const token of tokensOf(html)) {
    if (token.kind === 'text') assert.doesNotMatch(token.text, /</, html)
    if (token.kind === 'raw') {
      assert.doesNotMatch(token.text, /^<!/, 'no comments, no doctype')
      assert.doesNotMatch(
        token.text,
        /expression\s*\(|javascript:|@import\b|-moz-binding|url\(\s*["']?\s*(?!http)/i,
      )
    }
    if (token.kind !== 'open') continue
    assert.ok(!mayRun.has(token.name), `${token.name} in ${html}`)
    for (const { name, value } of token.attributes) {
      assert.doesNotMatch(name, /^on|^srcset$|^xlink|^action$|^formaction$|^srcdoc$|^ping$/, html)
      if (name === 'href')
        assert.match(value, /^(?:#|https?:\/\/|mailto:|tel:|\{\{(?:unsubscribe|preferences)Url)/i, html)
      if (name === 'src' || name === 'background') assert.match(value, /^https?:\/\//i, html)
      if (name === 'style') assert.doesNotMatch(value, /expression|javascript|behavior|url\(/i, html)
      if (name === 'name' && token.name === 'meta') assert.doesNotMatch(value, /referrer/i, html)
      if (name === 'http-equiv') assert.match(value, /^(?:content-type|x-ua-compatible)$/i, html)
    }
  }
}

/** Text that is mostly markup, so that chance finds the corners. */
const markup = fc
  .array(
    fc.oneof(
      fc.constantFrom(...attacks),
      fc.constantFrom(
        ...[
          '<p>',
          '</p>',
          '<div>',
          '</div>',
          '<li>',
          '</li>',
          '<ul>',
          '</ul>',
          '<a href="',
          '">',
          '</a>',
          '<b>',
        ],
        ...[
          '<table>',
          '<tr>',
          '<td>',
          '</td>',
          '</table>',
          '<style>',
          '</style>',
          '<title>',
          '</title>',
          '<h1>',
        ],
        ...[
          '<html>',
          '<head>',
          '</head>',
          '<body>',
          '</body>',
          '<img ',
          'src=',
          'style="',
          '"',
          "'",
          '>',
          '<',
        ],
        ...[
          '<!--',
          '-->',
          '&',
          '&amp;',
          '&lt;',
          '&#60;',
          '{{firstName|there}}',
          '{{',
          '}}',
          '\\',
          '/*',
          '*/',
        ],
        ...[
          'color:red;',
          'url(',
          ')',
          'x',
          ' ',
          '\n',
          '<br/>',
          '<span style="color:red">',
          '</span>',
          '/',
          '=',
        ],
        ...[
          '<h5>',
          '<form>',
          '</form>',
          '<svg>',
          '</svg>',
          '<select>',
          '<option>',
          '<font>',
          '<center>',
          'é🦪',
        ],
      ),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''))

describe('cleaning a body', () => {
  for (const format of bodyFormats) {
    describe(`in the ${format} format`, () => {
      it('lets nothing through that runs, loads or takes input', () => {
        for (const attack of attacks) {
          assertHarmless(cleanBody(format, attack))
          assertHarmless(cleanBody(format, `<p>before</p>${attack}<p>after</p>`))
        }
      })

      it('cleaning twice gives the same as cleaning once, and no input gets script through', () => {
        fc.assert(
          fc.property(markup, (html) => {
            const once = cleanBody(format, html)
            assertHarmless(once)
            assert.equal(cleanBody(format, once), once)
          }),
          { numRuns: 1_500 },
        )
      })

      it('is quick with what was made to be slow', () => {
        for (const part of [
          '<div>',
          '<p><b>',
          '<p><td><li>',
          '<a href="',
          '<!--',
          '<style>',
          '{{',
          '&',
          '<',
          'url(',
        ]) {
          const started = process.cpuUsage()
          cleanBody(format, part.repeat(300_000 / part.length))
          const { user, system } = process.cpuUsage(started)
          assert.ok(user + system < 3_000_000, `${part} took ${user + system} µs`)
        }
      })

      it('leaves merge tags where they are allowed', () => {
        const html =
          '<p>Hi {{firstName|there &amp; you}}, from {{venueName}} <a href="{{unsubscribeUrl}}">leave</a> <a href="https://blue-door.org/?n={{firstName|x}}">x</a></p>'
        assert.equal(cleanBody(format, html), html)
        assert.equal(parseMergeTags(html).problems.length, 0)
      })

      it('an address that is not allowed leaves a # behind, for the checklist to find', () => {
        assert.equal(cleanBody(format, '<a href="javascript:x()">Book</a>'), '<a href="#">Book</a>')
        assert.equal(
          cleanBody(format, '<img src="data:image/png;base64,xx" alt="Oysters">'),
          '<img alt="Oysters" />',
        )
      })
    })
  }

  describe('in the guided format', () => {
    it('keeps the allow list', () => {
      const html =
        '<h1>A</h1><h2>B</h2><h3>C</h3><h4>D</h4><p align="center"><b>b</b><strong>s</strong><i>i</i><em>e</em><br /><span style="color:#7a2e2e">x</span></p>' +
        '<ul><li>1</li></ul><ol><li>1</li></ol><blockquote>q</blockquote><hr />' +
        '<table width="100%"><tbody><tr><th>h</th><td colspan="2">d</td></tr></tbody></table>' +
        '<a href="mailto:hi@blue-door.org">m</a><a href="tel:+12075550134">t</a><img src="https://blue-door.org/a.jpg" alt="Oysters" width="520" height="300" />'
      assert.equal(cleanBody('guided', html), html)
    })

    it('turns what it does not know into what comes nearest, and loses no words', () => {
      assert.equal(
        cleanBody(
          'guided',
          '<div>One</div><section><h5>Two</h5></section><u>Three</u> <button>Four</button>',
        ),
        '<p>One</p><p></p><h4>Two</h4><p></p>Three Four',
      )
    })

    it('http becomes https', () => {
      assert.equal(
        cleanBody(
          'guided',
          '<a href="http://blue-door.org/menu">x</a><img src="HTTP://blue-door.org/a.jpg" alt="x">',
        ),
        '<a href="https://blue-door.org/menu">x</a><img src="https://blue-door.org/a.jpg" alt="x" />',
      )
    })

    it('keeps styles by property, without addresses', () => {
      assert.equal(
        cleanBody(
          'guided',
          '<p style="COLOR: red; background: url(https://x.org/a.png); position:fixed; padding: 2px 4px; font-family: \'Gill Sans\', serif">x</p>',
        ),
        '<p style="color:red;padding:2px 4px;font-family:\'Gill Sans\', serif">x</p>',
      )
    })
  })

  describe('in the html format', () => {
    it('keeps head and style', () => {
      const html =
        '<html lang="en"><head><meta charset="utf-8" /><title>Oysters &amp; more</title><style media="all">.a > b{color:red} @media (width<=600px){p{padding:0}}</style></head><body bgcolor="#fff"><div class="a" id="top" style="margin:0">x</div></body></html>'
      assert.equal(cleanBody('html', html), html)
    })

    it('keeps http links and pictures from the web in styles: it is a document of the caller’s own', () => {
      const html =
        '<a href="http://blue-door.org/">x</a><style>p{background:url(https://blue-door.org/a.png)}</style>'
      assert.equal(cleanBody('html', html), html)
    })

    it('a document says UTF-8, for the mail is', () => {
      assert.equal(
        cleanBody(
          'html',
          '<meta charset="iso-8859-1"><meta http-equiv="Content-Type" content="text/html; charset=latin1">',
        ),
        '<meta charset="utf-8" /><meta http-equiv="Content-Type" content="text/html; charset=utf-8" />',
      )
    })
  })
})
