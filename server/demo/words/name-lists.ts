/** Names of a city: groups of first and last names that go together, each as large as its weight. */
export type NameGroup = {
  readonly weight: number
  readonly first: readonly string[]
  readonly last: readonly string[]
}

const group = (weight: number, first: string, last: string): NameGroup => ({
  weight,
  first: first.split(', '),
  last: last.split(', '),
})

export const nameGroups: readonly NameGroup[] = [
  group(
    22,
    'James, Emily, Michael, Sarah, David, Jessica, Andrew, Rachel, Matthew, Lauren, Katherine, Daniel, Megan, Christopher, Olivia, Thomas, Hannah, William, Grace, Peter, Charlotte, Benjamin, Abigail, Henry, Claire, Samuel, Julia, Oliver, Caroline, George, Eleanor, Jack, Margaret, Ryan, Allison, Stephen, Amy, Robert, Elizabeth, Tyler, Brooke, Greg, Holly, Scott, Paige, Neil, Susan, Mark, Linda, Walter',
    'Smith, Johnson, Miller, Davis, Wilson, Anderson, Taylor, Moore, Thompson, White, Harris, Clark, Lewis, Walker, Hall, Young, Allen, King, Wright, Hill, Green, Adams, Baker, Nelson, Carter, Mitchell, Parker, Turner, Phillips, Campbell, Evans, Edwards, Collins, Stewart, Morris, Rogers, Reed, Cook, Morgan, Bell, Cooper, Richardson, Howard, Ward, Brooks, Bennett, Gray, Hughes, Price, Foster, Sanders, Whitaker, Fairchild, Pemberton, Ashworth',
  ),
  group(
    15,
    'Sofia, Mateo, Camila, Diego, Valentina, Luis, Isabella, Carlos, Gabriela, Javier, Lucia, Alejandro, Mariana, Andrés, Daniela, Miguel, Paola, Rafael, Ana, Jorge, Carmen, Eduardo, Natalia, Ricardo, Elena, Fernando, Rosa, Héctor, Yesenia, Ramón',
    'Rivera, Rodriguez, Martinez, Hernández, Lopez, González, Perez, Sanchez, Ramirez, Torres, Flores, Reyes, Morales, Ortiz, Gutierrez, Castillo, Vargas, Mendoza, Delgado, Santiago, Peña, Acosta, Rojas, Medina, Cordero, Figueroa, Quiñones, Batista',
  ),
  group(
    9,
    'Anthony, Maria, Marco, Gina, Vincent, Angela, Dominic, Francesca, Joseph, Theresa, Luca, Giulia, Nicholas, Christina, Paul, Donna, Sal, Alessandra, Frank, Bianca',
    'Russo, Esposito, Romano, Ferrari, Marino, Greco, Bruno, Gallo, Conti, De Luca, Costa, Rizzo, Lombardi, Moretti, Caruso, Ferrara, Santoro, Palumbo, Vitale, DiMaggio, Colucci, Pellegrino',
  ),
  group(
    9,
    'Joshua, Rebecca, Adam, Leah, Jonathan, Miriam, Aaron, Naomi, Ethan, Dana, Eli, Shira, Noah, Tamar, Jeremy, Ilana, Alan, Ruth, Max, Esther, Jacob, Marcia',
    'Cohen, Levy, Goldberg, Katz, Friedman, Shapiro, Rosen, Kaplan, Weiss, Schwartz, Rubin, Stern, Klein, Feldman, Abramson, Greenberg, Horowitz, Lieberman, Adler, Roth, Zuckerman, Mizrahi',
  ),
  group(
    8,
    'Wei, Amy, Kevin, Grace, Jason, Michelle, Eric, Vivian, Alan, Cindy, Jia, Raymond, Connie, Hao, Winnie, Stanley, Yan, Tiffany, Calvin, Mei',
    'Chen, Wang, Li, Zhang, Liu, Huang, Lin, Wu, Zhao, Chan, Wong, Cheung, Ng, Leung, Tang, Xu, Lau, Yip, Zheng, Kwok, Hsu, Tsai',
  ),
  group(
    8,
    'Priya, Arjun, Anjali, Rohan, Neha, Vikram, Kavya, Sanjay, Meera, Rahul, Divya, Amit, Nisha, Karan, Aisha, Imran, Fatima, Zain, Lakshmi, Suresh',
    'Patel, Shah, Singh, Kumar, Sharma, Gupta, Reddy, Rao, Iyer, Nair, Mehta, Desai, Kapoor, Banerjee, Chatterjee, Raman, Khan, Ahmed, Hussain, Malik, Chowdhury, Fernando',
  ),
  group(
    8,
    'Malik, Imani, Darnell, Keisha, Marcus, Aaliyah, Terrence, Simone, Andre, Monique, Jamal, Nia, Isaiah, Ebony, Reginald, Camille, Xavier, Renée, Desmond, Tanya',
    'Washington, Jefferson, Jackson, Freeman, Banks, Coleman, Robinson, Bryant, Simmons, Gaines, Dorsey, Hayes, Booker, Mosley, Baptiste, Charles, Grant, Pierre, Joseph, Campbell, Clarke, Beckford',
  ),
  group(
    4,
    'Chidi, Amara, Kwame, Ngozi, Maya, Kofi, Adaeze, Tunde, Abena, Emeka, Yewande, Samuel, Efua, Femi, Zainab, Moussa',
    'Okafor, Adeyemi, Mensah, Okonkwo, Boateng, Diallo, Nwosu, Asante, Eze, Traoré, Owusu, Balogun, Abiola, Kamara, Tesfaye, Haile',
  ),
  group(
    5,
    'Ji-woo, Daniel, Hannah, Minjun, Soo-jin, Esther, Brian, Yuna, Andrew, Grace, Hyun, Sarah, Joon, Christine, Eugene, Mina',
    'Kim, Lee, Park, Choi, Jung, Kang, Cho, Yoon, Jang, Lim, Han, Shin, Kwon, Hwang, Oh, Song',
  ),
  group(
    5,
    'Siobhan, Patrick, Maeve, Brendan, Kathleen, Sean, Nora, Kevin, Fiona, Declan, Eileen, Connor, Bridget, Liam, Colleen, Timothy',
    "O'Brien, Murphy, Kelly, Sullivan, Walsh, McCarthy, O'Connor, Ryan, Gallagher, Doherty, Kennedy, Lynch, Murray, Quinn, McLaughlin, Flanagan, Donovan, Keane",
  ),
  group(
    4,
    'Yuki, Kenji, Aiko, Hiroshi, Naomi, Taro, Emi, Ken, Linh, Minh, Thu, Bao, Mai, Jasmine, Paolo, Angelo, Marisol, Joy',
    'Tanaka, Sato, Suzuki, Watanabe, Yamamoto, Nakamura, Mori, Nguyen, Tran, Pham, Le, Vo, Santos, Reyes, Bautista, Villanueva, Aquino, Dizon',
  ),
  group(
    4,
    'Leila, Omar, Nadia, Karim, Yasmin, Sami, Rania, Farid, Shirin, Dariush, Zeynep, Emre, Layla, Tariq, Parisa, Hassan',
    'Haddad, Khoury, Nasser, Mansour, Rahimi, Farahani, Tehrani, Yilmaz, Demir, Kaya, Saleh, Aziz, Hakimi, Boutros, Saab, Moradi',
  ),
  group(
    5,
    'Camille, Étienne, Sophie, Antoine, Chloé, Lars, Ingrid, Erik, Astrid, Lukas, Anna, Stefan, Katja, Klaus, Zoë, Pieter, Marieke, Hugo, Margaux, Freya',
    'Dubois, Laurent, Moreau, Lefèvre, Fournier, Girard, Schmidt, Müller, Weber, Hoffmann, Becker, Lindqvist, Johansson, Hansen, Nielsen, Andersen, van Dijk, de Vries, Bergström, Keller',
  ),
  group(
    4,
    'Olga, Dmitri, Natasha, Ivan, Marta, Piotr, Agnieszka, Marek, Irina, Alexei, Elena, Nikos, Sophia, Dimitra, Yannis, Katarina, Goran, Ana',
    'Ivanova, Petrov, Volkov, Kowalski, Nowak, Wiśniewska, Zielinski, Shevchenko, Bondarenko, Papadopoulos, Stavros, Nikolaidis, Kovač, Marković, Horvat, Dvorak, Novak, Georgiou',
  ),
]

/** Area codes of the guests' phones; each holds the hundred numbers 555-0100 to 555-0199, which belong to nobody. */
export const areaCodes = [
  ['212', '332', '646', '917', '718', '347', '929'],
  ['516', '363', '631', '934', '914', '845', '329'],
  ['201', '551', '973', '862', '732', '848', '908', '609', '640'],
  ['203', '475', '860'],
  ['617', '857', '215', '267', '202', '312', '415', '310', '404', '305', '512', '206', '303'],
].flat()
