"""Writes orders.csv: made-up orders, the same ones every time. Run it in this folder: python3 make_orders.py"""

import csv
import datetime
import random

PEOPLE = """Amira Haddad|Li Ting|Jonas Weber|Priya Nair|Mateo Rojas|Sofia Lindqvist|Kwame Mensah|Yuki Tanaka|Elena Petrova
Lucas Moreau|Fatima Zahra|Oliver Grant|Wang Fang|Nora Kelly|Diego Alvarez|Hanna Virtanen|Tomasz Nowak|Aisha Bello|Ravi Menon
Chloe Dubois|Marek Novak|Zhang Wei|Isabella Conti|Noah Becker|Leila Karimi|Emeka Obi|Ingrid Dahl|Carlos Mendes|Grace Kim
Viktor Horvath|Maya Cohen|Samuel Osei|Anna Kowalska|Hugo Martin|Nadia Rahman|Peter Jansen|Rosa Silva|Daniel Ivanov|Mei Chen
Liam Murphy|Zeynep Kaya|Oscar Nilsson|Clara Fischer|Arjun Patel|Julia Santos|Ahmed Farouk|Emma Laurent|Ivan Babic|Sara Costa
Thabo Nkosi""".replace("\n", "|").split("|")
ITEMS = [
    ("Desk lamp, brass", 8950), ("Oak bookshelf, 5 shelves", 24900), ("Wool blanket", 7490), ("Espresso machine", 31900),
    ("Travel mug, 400 ml", 1995), ("Noise-cancelling headphones", 18900), ("Hiking boots", 13450), ("Cast-iron pan, 28 cm", 5990),
    ("Mechanical keyboard", 11900), ("Linen bedding set", 9980), ('Monitor, 27"', 27900), ("Cork yoga mat", 4590),
    ("Bicycle helmet", 6950), ("Fountain pen", 3890), ("Garden chair", 8490), ("Water filter jug", 2790),
]
CARRIERS = {"Northway": "NW", "Parcel One": "P1", "Swift Post": "SP"}
# The two customers of the built-in requests, and the last digits that their orders need (see shipping.rs).
SHOWN = {"Amira Haddad": "472", "Li Ting": "571"}

rng = random.Random(2024)
numbers, number = [], 10000200
for _ in range(240):
    number += rng.randint(1, 9)
    numbers.append(number)

owners = {}
for person, digits in SHOWN.items():
    for digit in digits:
        free = [n for n in numbers if str(n)[-1] == digit and n not in owners]
        owners[free[len(free) // 3]] = person
others = [person for person in PEOPLE if person not in SHOWN]

with open("orders.csv", "w", newline="", encoding="utf-8") as file:
    out = csv.writer(file, lineterminator="\n")
    out.writerow("order_id,customer,email,item,amount,status,carrier,shipping_number,ordered_on,deliver_on".split(","))
    for place, number in enumerate(numbers):
        customer = owners.get(number) or rng.choice(others)
        item, cents = rng.choice(ITEMS)
        day = datetime.date(2026, 1, 5) + datetime.timedelta(days=place // 3)
        age = len(numbers) - place
        status = "placed" if age < 15 else rng.choices(
            ["packed", "shipped", "delivered", "returned", "cancelled"], [1, 3, 8, 1, 1] if age > 60 else [4, 6, 1, 0, 1])[0]
        if number in owners:
            status = "placed" if str(number)[-1] in "12" else "shipped"
        carrier = rng.choice(sorted(CARRIERS)) if status in ("shipped", "delivered", "returned") else ""
        shipping_number = f"{CARRIERS[carrier]}{rng.randint(10**9, 10**10 - 1)}" if carrier else ""
        out.writerow([f"ORD{number}", customer, customer.lower().replace(" ", ".") + "@example.com", item,
                      f"{cents / 100:.2f}", status, carrier, shipping_number, day, day + datetime.timedelta(days=rng.randint(3, 12))])
