/* Messages are not translated. */
#define _(text) (text)
#define N_(text) (text)
#define gettext(text) (text)
